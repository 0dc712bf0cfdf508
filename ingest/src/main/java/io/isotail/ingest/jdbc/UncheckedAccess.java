package io.isotail.ingest.jdbc;

import java.lang.reflect.AccessibleObject;

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
}
