package io.isotail.ingest.jdbc;

import java.lang.reflect.Constructor;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.Modifier;
import java.lang.reflect.Proxy;
import java.util.Arrays;
import java.util.LinkedHashSet;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The interfaces that a stand-in shares with the real object, so that an application may cast it as
 * it casts the real one ({@code (PGConnection) connection}). Thread-safe.
 *
 * <p>Looked up once for each class. What is kept refers to classes of the real driver only, and is
 * kept by them: neither driver holds the other's class loader.
 */
final class RealInterfaces {
  private static final ClassValue<Optional<Constructor<?>>> OF_CLASS =
      new ClassValue<>() {
        @Override
        protected Optional<Constructor<?>> computeValue(Class<?> type) {
          return Optional.ofNullable(made(type));
        }
      };

  private RealInterfaces() {}

  /**
   * Makes stand-ins with all interfaces of a class; null if there is no such stand-in. Its argument
   * is an {@link InvocationHandler}.
   */
  static @Nullable Constructor<?> standIn(Class<?> type) {
    return OF_CLASS.get(type).orElse(null);
  }

  private static @Nullable Constructor<?> made(Class<?> type) {
    InvocationHandler none = (self, method, arguments) -> null;
    try {
      Constructor<?> made =
          Proxy.newProxyInstance(type.getClassLoader(), found(type), none)
              .getClass()
              .getConstructor(InvocationHandler.class);
      return UncheckedAccess.to(made);
    } catch (IllegalArgumentException | NoSuchMethodException e) {
      return null;
    }
  }

  /** The interfaces of a class that a proxy in its class loader can implement, none twice. */
  private static Class<?>[] found(Class<?> type) {
    Set<Class<?>> all = new LinkedHashSet<>();
    for (Class<?> c = type; c != null; c = c.getSuperclass()) {
      for (Class<?> each : c.getInterfaces()) {
        collect(each, type.getClassLoader(), all);
      }
    }
    return all.stream()
        .filter(
            each -> all.stream().noneMatch(other -> other != each && each.isAssignableFrom(other)))
        .toArray(Class<?>[]::new);
  }

  private static void collect(Class<?> type, @Nullable ClassLoader loader, Set<Class<?>> all) {
    if (isImplementable(type, loader)) {
      all.add(type);
    }
    Arrays.stream(type.getInterfaces()).forEach(each -> collect(each, loader, all));
  }

  private static boolean isImplementable(Class<?> type, @Nullable ClassLoader loader) {
    try {
      return Modifier.isPublic(type.getModifiers())
          && !type.isSealed()
          && !type.isHidden()
          && type.getModule().isExported(type.getPackageName())
          && Class.forName(type.getName(), false, loader) == type;
    } catch (ClassNotFoundException | LinkageError e) {
      return false;
    }
  }
}
