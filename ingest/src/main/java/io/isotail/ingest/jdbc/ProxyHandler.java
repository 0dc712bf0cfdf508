package io.isotail.ingest.jdbc;

import java.lang.reflect.InvocationHandler;
import java.lang.reflect.Method;
import java.sql.Wrapper;
import org.jspecify.annotations.Nullable;

/**
 * Stands in for one JDBC object: passes every call on to the real one and its exceptions back
 * unwrapped.
 */
abstract class ProxyHandler implements InvocationHandler {
  private static final Object[] NO_ARGUMENTS = {};

  private final RealClasses classes;
  private final RealClass known;
  private final Object proxy;
  private Object real;

  /**
   * A stand-in.
   *
   * @param real the real object
   * @param type the JDBC interface that the application sees at least
   * @param classes those of the connection's real objects
   */
  ProxyHandler(Object real, Class<?> type, RealClasses classes) {
    this.real = real;
    this.classes = classes;
    this.known = classes.of(real.getClass());
    this.proxy = known.standIn(type, this);
  }

  /** What the application gets. */
  final Object proxy() {
    return proxy;
  }

  @Override
  public final @Nullable Object invoke(
      Object self, Method method, @Nullable Object @Nullable [] args) throws Throwable {
    Object[] arguments = args == null ? NO_ARGUMENTS : args;
    RealMethod called = known.method(method);
    switch (called.called()) {
      case EQUALS -> {
        if (method.getDeclaringClass() == Object.class) {
          return self == arguments[0];
        }
      }
      case HASH_CODE -> {
        if (arguments.length == 0) {
          return System.identityHashCode(self);
        }
      }
      case UNWRAP -> {
        if (arguments.length == 1 && arguments[0] instanceof Class<?> type) {
          return type.isInstance(self) ? self : unwrapped(type, ((Wrapper) bare()).unwrap(type));
        }
      }
      case IS_WRAPPER_FOR -> {
        if (arguments.length == 1 && arguments[0] instanceof Class<?> type) {
          return type.isInstance(self) || ((Wrapper) real).isWrapperFor(type);
        }
      }
      default -> {}
    }
    return call(called, arguments);
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
  abstract @Nullable Object call(RealMethod method, Object[] arguments) throws Throwable;

  /** The classes of the connection's real objects. */
  final RealClasses classes() {
    return classes;
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
  final @Nullable Object delegate(RealMethod method, Object... arguments) throws Throwable {
    return method.on(real, arguments);
  }
}
