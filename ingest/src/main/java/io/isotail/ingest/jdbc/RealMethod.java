package io.isotail.ingest.jdbc;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.sql.SQLException;
import org.jspecify.annotations.Nullable;

/**
 * A method of a class of real objects, as a stand-in is called by it: what is to be known of it is
 * found out once. Thread-safe.
 */
final class RealMethod {
  private final Class<?> type;
  private final Method method;
  private final Method ofType;
  private final Called called;
  private final boolean getter;
  private final boolean setter;
  private final boolean updater;

  /**
   * A method.
   *
   * @param type the class of the real objects
   * @param method the method as the interface has it
   */
  RealMethod(Class<?> type, Method method) {
    String name = method.getName();
    this.type = type;
    this.method = UncheckedAccess.to(method);
    this.ofType = UncheckedAccess.ofClass(type, method);
    this.called = Called.of(name);
    this.getter = name.startsWith("get");
    this.setter = name.startsWith("set");
    this.updater = name.startsWith("update");
  }

  /** What a call is taken for. */
  Called called() {
    return called;
  }

  String name() {
    return method.getName();
  }

  /** Whether the name begins as that of a getter. */
  boolean isGetter() {
    return getter;
  }

  /** Whether the name begins as that of a setter. */
  boolean isSetter() {
    return setter;
  }

  /** Whether the name begins as that of a setter of a row's column. */
  boolean isUpdater() {
    return updater;
  }

  Class<?> returns() {
    return method.getReturnType();
  }

  /**
   * Calls it on a real object; its exceptions come unwrapped.
   *
   * @param real of the class that the method is of, or else of another one with its interface
   */
  @Nullable Object on(Object real, @Nullable Object... arguments) throws Throwable {
    try {
      return (real.getClass() == type ? ofType : method).invoke(real, arguments);
    } catch (InvocationTargetException e) {
      Throwable cause = e.getCause();
      throw cause == null
          ? new SQLException("isotail: the driver failed without a cause", e)
          : cause;
    }
  }
}
