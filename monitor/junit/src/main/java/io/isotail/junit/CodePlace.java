package io.isotail.junit;

import io.isotail.incremental.record.Origin;
import java.lang.StackWalker.StackFrame;
import java.net.URL;
import java.security.CodeSource;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Where in the application's own code a thread is: behind libraries, proxies and lambdas.
 *
 * <p>A class that was loaded from a folder is the application's, as what was just compiled; of
 * classes in jars the names tell. Where the nearest one in a folder has classes of jars above it,
 * one of those counts only if it is of the same organisation: the first two parts of its package.
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

  /** Whose a class is. */
  private enum Owner {
    APPLICATION,
    PERHAPS_APPLICATION,
    LIBRARY
  }

  private static final ClassValue<Owner> OWNER =
      new ClassValue<>() {
        @Override
        protected Owner computeValue(Class<?> type) {
          String name = type.getName();
          if (OF_ISOTAIL.stream().anyMatch(name::startsWith)
              || (location(CodePlace.class).endsWith(".jar")
                  && location(CodePlace.class).equals(location(type)))
              || name.contains("$$")
              || name.contains("$Proxy")) {
            return Owner.LIBRARY;
          }
          if (location(type).endsWith("/")) {
            return Owner.APPLICATION;
          }
          return NOT_ITS_OWN.stream().anyMatch(name::startsWith)
              ? Owner.LIBRARY
              : Owner.PERHAPS_APPLICATION;
        }
      };

  private CodePlace() {}

  /** As {@code Stock.count(Stock.java:33)}; null if there is no code of its own on the stack. */
  static @Nullable String ofCaller() {
    return WALKER.walk(
        frames -> {
          List<StackFrame> perhaps = new ArrayList<>();
          for (Iterator<StackFrame> i = frames.iterator(); i.hasNext(); ) {
            StackFrame frame = i.next();
            Owner owner = OWNER.get(frame.getDeclaringClass());
            if (owner == Owner.APPLICATION) {
              String organisation = organisation(frame);
              return perhaps.stream()
                  .filter(nearer -> organisation(nearer).equals(organisation))
                  .findFirst()
                  .map(CodePlace::told)
                  .orElseGet(() -> told(frame));
            }
            if (owner == Owner.PERHAPS_APPLICATION) {
              perhaps.add(frame);
            }
          }
          return perhaps.isEmpty() ? null : told(perhaps.get(0));
        });
  }

  /** The first two parts of the package of a class. */
  private static String organisation(StackFrame frame) {
    String name = frame.getClassName();
    int second = name.indexOf('.', name.indexOf('.') + 1);
    return second < 0 ? name : name.substring(0, second);
  }

  /** The folder or jar of a class; empty if it comes from elsewhere. */
  private static String location(Class<?> type) {
    CodeSource source = type.getProtectionDomain().getCodeSource();
    URL location = source == null ? null : source.getLocation();
    return location != null && location.getProtocol().equals("file") ? location.getPath() : "";
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
