package io.isotail.junit;

import io.isotail.incremental.record.Origin;
import java.lang.StackWalker.StackFrame;
import java.security.CodeSource;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Where in the application's own code a thread is: behind libraries, proxies and lambdas.
 *
 * <p>A class that was loaded from a folder is the application's: what was just compiled. Of classes
 * in jars the names tell.
 */
final class CodePlace {
  private static final StackWalker WALKER =
      StackWalker.getInstance(StackWalker.Option.RETAIN_CLASS_REFERENCE);

  /** How the names of classes begin that stand between the application and its database. */
  private static final List<String> NOT_ITS_OWN =
      List.of(
          "java.",
          "javax.",
          "jdk.",
          "sun.",
          "com.sun.",
          "jakarta.",
          "kotlin.",
          "scala.",
          "groovy.",
          "org.postgresql.",
          "com.zaxxer.",
          "org.springframework.",
          "org.hibernate.",
          "org.eclipse.persistence.",
          "org.apache.",
          "org.mybatis.",
          "org.jooq.",
          "org.jdbi.",
          "com.querydsl.",
          "org.flywaydb.",
          "liquibase.",
          "org.junit.",
          "io.micrometer.",
          "net.bytebuddy.",
          "com.mysql.",
          "org.mariadb.",
          "org.h2.");

  /** Those that are in a folder where isotail itself is built. */
  private static final List<String> OF_ISOTAIL =
      List.of(
          "io.isotail.ingest.",
          "io.isotail.junit.CheckedDataSource",
          CodePlace.class.getName(),
          LocalStream.class.getName());

  private static final ClassValue<Boolean> IS_ITS_OWN =
      new ClassValue<>() {
        @Override
        protected Boolean computeValue(Class<?> type) {
          String name = type.getName();
          return OF_ISOTAIL.stream().noneMatch(name::startsWith)
              && !name.contains("$$")
              && !name.contains("$Proxy")
              && (isFromFolder(type) || NOT_ITS_OWN.stream().noneMatch(name::startsWith));
        }
      };

  private CodePlace() {}

  /** As {@code Stock.count(Stock.java:33)}; null if there is no code of its own on the stack. */
  static @Nullable String ofCaller() {
    return WALKER.walk(
        frames -> frames.filter(CodePlace::isItsOwn).findFirst().map(CodePlace::told).orElse(null));
  }

  private static boolean isItsOwn(StackFrame frame) {
    return IS_ITS_OWN.get(frame.getDeclaringClass());
  }

  private static boolean isFromFolder(Class<?> type) {
    CodeSource source = type.getProtectionDomain().getCodeSource();
    return source != null
        && source.getLocation() != null
        && source.getLocation().getProtocol().equals("file")
        && source.getLocation().getPath().endsWith("/");
  }

  private static String told(StackFrame frame) {
    String name = frame.getClassName();
    String simple = name.substring(name.lastIndexOf('.') + 1).replace('$', '.');
    String told =
        "%s.%s(%s:%d)"
            .formatted(
                simple,
                frame.getMethodName().replaceFirst("^lambda\\$(.+)\\$\\d+$", "$1"),
                frame.getFileName(),
                frame.getLineNumber());
    return told.length() <= Origin.MAX_CHARS ? told : told.substring(0, Origin.MAX_CHARS);
  }
}
