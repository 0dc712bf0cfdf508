package io.isotail.ingest.jdbc;

import java.lang.reflect.Modifier;
import java.util.Arrays;
import java.util.LinkedHashSet;
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
  private static final ClassValue<Class<?>[]> OF_CLASS =
      new ClassValue<>() {
        @Override
        protected Class<?>[] computeValue(Class<?> type) {
          return found(type);
        }
      };

  private RealInterfaces() {}

  /** The interfaces of a class that a proxy in its class loader can implement, none twice. */
  static Class<?>[] of(Class<?> type) {
    return OF_CLASS.get(type);
  }

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
