package io.isotail.ingest.jdbc;

import java.lang.reflect.AccessibleObject;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;

/** Calls by reflection that do not look each time whether they are allowed. Thread-safe. */
final class UncheckedAccess {
  private UncheckedAccess() {}

  /**
   * Marks a method or constructor that may be called anyway, once for all its calls. Where that is
   * forbidden, it goes on being looked at each time.
   *
   * @return the same
   */
  static <T extends AccessibleObject> T to(T called) {
    try {
      called.trySetAccessible();
    } catch (SecurityException e) {
      // A security manager is asked in each call, too.
    }
    return called;
  }

  /**
   * The method of a class that implements one of its interfaces', if it can be called from here;
   * else the interface's own. A call by the class costs less: the JVM then need not ask whether the
   * object has the interface, of which it remembers no more than one answer for each class. A class
   * of which a method names a class that is not there is left alone.
   *
   * @param method of an interface of the class
   */
  static Method ofClass(Class<?> type, Method method) {
    try {
      Method own = type.getMethod(method.getName(), method.getParameterTypes());
      Class<?> declaring = own.getDeclaringClass();
      boolean callable =
          Modifier.isPublic(declaring.getModifiers())
              && declaring.getModule().isExported(declaring.getPackageName());
      return to(callable ? own : method);
    } catch (NoSuchMethodException | SecurityException | LinkageError e) {
      return to(method);
    }
  }
}
