package io.isotail.ingest.jdbc;

import java.lang.reflect.Constructor;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.util.IdentityHashMap;
import org.jspecify.annotations.Nullable;

/** A class of real objects: makes their stand-ins, and knows its methods. Thread-safe. */
final class RealClass {
  /** So many methods are kept; one that is called by reflection may bring an object each time. */
  private static final int MOST_METHODS = 1_024;

  private final Class<?> type;
  private final @Nullable Constructor<?> withAllInterfaces;

  /** By the one object that a stand-in's class has for each. Never changed, but replaced. */
  private volatile IdentityHashMap<Method, RealMethod> methods = new IdentityHashMap<>();

  RealClass(Class<?> type) {
    this.type = type;
    this.withAllInterfaces = RealInterfaces.standIn(type);
  }

  boolean isOf(Class<?> other) {
    return type == other;
  }

  /**
   * A stand-in for an object of this class.
   *
   * @param least the JDBC interface that the application sees at least
   */
  Object standIn(Class<?> least, InvocationHandler handler) {
    Constructor<?> all = withAllInterfaces;
    if (all != null && least.isAssignableFrom(all.getDeclaringClass())) {
      try {
        return all.newInstance(handler);
      } catch (ReflectiveOperationException e) {
        // The JDBC interface is left.
      }
    }
    return Proxy.newProxyInstance(
        ProxyHandler.class.getClassLoader(), new Class<?>[] {least}, handler);
  }

  /** A method that a stand-in was called by. */
  RealMethod method(Method called) {
    RealMethod known = methods.get(called);
    return known == null ? found(called) : known;
  }

  private synchronized RealMethod found(Method called) {
    RealMethod known = methods.get(called);
    if (known != null) {
      return known;
    }
    RealMethod found = new RealMethod(type, called);
    if (methods.size() >= MOST_METHODS) {
      return found;
    }
    IdentityHashMap<Method, RealMethod> more = new IdentityHashMap<>(methods);
    more.put(called, found);
    methods = more;
    return found;
  }
}
