package io.isotail.ingest.jdbc;

import java.lang.reflect.Constructor;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.sql.SQLException;
import java.sql.Wrapper;
import org.jspecify.annotations.Nullable;

/**
 * Stands in for one JDBC object: passes every call on to the real one and its exceptions back
 * unwrapped.
 */
abstract class ProxyHandler implements InvocationHandler {
  private static final Object[] NO_ARGUMENTS = {};

  private Object real;
  private final Object proxy;

  /**
   * A stand-in.
   *
   * @param real the real object
   * @param type the JDBC interface that the application sees at least
   */
  ProxyHandler(Object real, Class<?> type) {
    this.real = real;
    this.proxy = standIn(real.getClass(), type);
  }

  private Object standIn(Class<?> real, Class<?> type) {
    Constructor<?> all = RealInterfaces.standIn(real);
    if (all != null && type.isAssignableFrom(all.getDeclaringClass())) {
      try {
        return all.newInstance(this);
      } catch (ReflectiveOperationException e) {
        // The JDBC interface is left.
      }
    }
    return Proxy.newProxyInstance(ProxyHandler.class.getClassLoader(), new Class<?>[] {type}, this);
  }

  /** What the application gets. */
  final Object proxy() {
    return proxy;
  }

  @Override
  public final @Nullable Object invoke(
      Object self, Method method, @Nullable Object @Nullable [] args) throws Throwable {
    Object[] arguments = args == null ? NO_ARGUMENTS : args;
    switch (method.getName()) {
      case "equals" -> {
        if (method.getDeclaringClass() == Object.class) {
          return self == arguments[0];
        }
      }
      case "hashCode" -> {
        if (arguments.length == 0) {
          return System.identityHashCode(self);
        }
      }
      case "unwrap" -> {
        if (arguments.length == 1 && arguments[0] instanceof Class<?> type) {
          return type.isInstance(self) ? self : unwrapped(type, ((Wrapper) bare()).unwrap(type));
        }
      }
      case "isWrapperFor" -> {
        if (arguments.length == 1 && arguments[0] instanceof Class<?> type) {
          return type.isInstance(self) || ((Wrapper) real).isWrapperFor(type);
        }
      }
      default -> {}
    }
    return call(method, arguments);
  }

  /** The real object as the application may get it, to use it without this one. */
  Object bare() throws Throwable {
    return real;
  }

  /**
   * What the application gets for an object behind the real one, as under a pool: by default the
   * object itself.
   *
   * @param type what it was asked for as
   */
  @Nullable Object unwrapped(Class<?> type, @Nullable Object behind) {
    return behind;
  }

  /** A call of the application. */
  abstract @Nullable Object call(Method method, Object[] arguments) throws Throwable;

  /** A method of a JDBC interface. */
  static Method methodOf(Class<?> type, String name, Class<?>... parameters) {
    try {
      return type.getMethod(name, parameters);
    } catch (NoSuchMethodException e) {
      throw new IllegalStateException("JDBC without " + type.getSimpleName() + "." + name, e);
    }
  }

  /** The real object. */
  final Object real() {
    return real;
  }

  /** From here on calls go to another real object. */
  final void replace(Object other) {
    real = other;
  }

  /** Passes a call on. */
  final @Nullable Object delegate(Method method, Object... arguments) throws Throwable {
    try {
      return UncheckedAccess.to(method).invoke(real, arguments);
    } catch (InvocationTargetException e) {
      Throwable cause = e.getCause();
      throw cause == null
          ? new SQLException("isotail: the driver failed without a cause", e)
          : cause;
    }
  }
}
