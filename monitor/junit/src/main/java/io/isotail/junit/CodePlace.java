package io.isotail.junit;

import io.isotail.incremental.record.Origin;
import java.lang.StackWalker.StackFrame;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Where in the application's own code a thread is: behind libraries, proxies and lambdas. */
final class CodePlace {
  private static final StackWalker WALKER = StackWalker.getInstance();

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
          "io.isotail.ingest.",
          "io.isotail.junit.CheckedDataSource",
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

  private CodePlace() {}

  /** As {@code Stock.count(Stock.java:33)}; null if there is no code of its own on the stack. */
  static @Nullable String ofCaller() {
    return WALKER.walk(
        frames -> frames.filter(CodePlace::isItsOwn).findFirst().map(CodePlace::told).orElse(null));
  }

  private static boolean isItsOwn(StackFrame frame) {
    String name = frame.getClassName();
    return !name.equals(CodePlace.class.getName())
        && !name.equals(LocalStream.class.getName())
        && !name.contains("$$")
        && !name.contains("$Proxy")
        && NOT_ITS_OWN.stream().noneMatch(name::startsWith);
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
