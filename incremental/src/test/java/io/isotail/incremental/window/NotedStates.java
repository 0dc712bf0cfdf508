package io.isotail.incremental.window;

import java.lang.reflect.Field;
import java.util.List;

/** Whether what a window has noted of its transactions for the next save is what they are. */
public final class NotedStates {
  private NotedStates() {}

  /** The first that has changed though nobody has said so, or null. */
  public static String stale(Window window) {
    List<TransactionState> noted = window.states();
    for (int i = 0; i < noted.size(); i++) {
      TransactionState is = noted.get(i);
      TransactionState shouldBe = new TransactionState(is.transaction, window.oldestPlace() + i);
      if (is.whole != shouldBe.whole || (is.whole && !same(is, shouldBe))) {
        return is.transaction + " at " + i;
      }
    }
    return null;
  }

  private static boolean same(TransactionState is, TransactionState shouldBe) {
    try {
      for (Field field : TransactionState.class.getDeclaredFields()) {
        field.setAccessible(true);
        Object value = field.get(is);
        Object other = field.get(shouldBe);
        if (value instanceof Number ? !value.equals(other) : value != other) {
          return false;
        }
      }
      return true;
    } catch (IllegalAccessException e) {
      throw new AssertionError(e);
    }
  }
}
