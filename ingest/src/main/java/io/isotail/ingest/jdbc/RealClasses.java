package io.isotail.ingest.jdbc;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * The classes of the real objects of a connection, each looked into once. Thread-safe.
 *
 * <p>Kept by the connection and by nothing that outlives it: neither driver holds the other's class
 * loader.
 */
final class RealClasses {
  private final Map<Class<?>, RealClass> known = new ConcurrentHashMap<>();

  RealClass of(Class<?> type) {
    RealClass of = known.get(type);
    return of == null ? known.computeIfAbsent(type, RealClass::new) : of;
  }
}
