package io.isotail.monitor.explore;

import io.isotail.incremental.explore.Program;
import io.isotail.incremental.explore.language.ProgramText;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;

/**
 * Client programs of the applications of Bouajjani, Enea and Román-Calvo (PLDI 2023, Section 7.2):
 * sessions of transactions that a seed chooses.
 */
final class ClientPrograms {
  /** The applications. */
  static final List<String> APPLICATIONS =
      List.of("shopping-cart", "twitter", "courseware", "wikipedia", "tpc-c");

  /**
   * Programs of an application that read too; the others, which have more histories, only write.
   */
  private static final int MIXED_PROGRAMS = 2;

  /** How many of a hundred transactions of those write. */
  private static final int PERCENT_WRITING = 60;

  private ClientPrograms() {}

  /** A program of one application. */
  static Program of(String application, int number, int sessions, int transactions) {
    // There all that insert into a table write one variable, the set of its keys.
    String text = Examples.text(application).replaceAll("(?m)^table ", "set table ");
    StringBuilder client = new StringBuilder(text.substring(0, text.indexOf("\nsession ") + 1));
    for (int s = 0; s < sessions; s++) {
      // A program with more sessions, or longer ones, begins like one with fewer.
      SplittableRandom random =
          new SplittableRandom(31L * application.hashCode() + 101L * number + s);
      client.append("session s").append(s + 1).append(" { ");
      for (int t = 0; t < transactions; t++) {
        boolean writes = number > MIXED_PROGRAMS || random.nextInt(100) < PERCENT_WRITING;
        client.append(call(application, writes, random)).append("; ");
      }
      client.append("}\n");
    }
    return ProgramText.parse(application + " " + number, client.toString(), Map.of());
  }

  private static String call(String application, boolean writes, SplittableRandom random) {
    int one = 1 + random.nextInt(3);
    int two = 1 + random.nextInt(3);
    List<String> calls =
        switch (application) {
          case "shopping-cart" -> shoppingCart(writes, one, two == 1 ? "\"pen\"" : "\"ink\"");
          case "twitter" -> twitter(writes, one, two);
          case "courseware" ->
              courseware(
                  writes,
                  List.of("\"ann\"", "\"ben\"", "\"cem\"").get(one - 1),
                  List.of("\"logic\"", "\"sets\"", "\"graphs\"").get(two - 1));
          case "wikipedia" -> wikipedia(writes, one, two);
          default -> orders(writes, one, two);
        };
    return calls.get(random.nextInt(calls.size()));
  }

  private static List<String> shoppingCart(boolean writes, int user, String item) {
    return writes
        ? List.of(
            "addItem(%d, %s, 1)".formatted(user, item),
            "removeItem(%d, %s)".formatted(user, item),
            "changeQuantity(%d, %s, 1)".formatted(user, item))
        : List.of("getCart(%d)".formatted(user));
  }

  private static List<String> twitter(boolean writes, int user, int other) {
    return writes
        ? List.of(
            "follow(%d, %d)".formatted(user, other == user ? user % 3 + 1 : other),
            "publish(%d, \"%d\")".formatted(user, other))
        : List.of(
            "followers(%d)".formatted(user),
            "tweets(%d)".formatted(user),
            "timeline(%d)".formatted(user));
  }

  private static List<String> courseware(boolean writes, String student, String course) {
    return writes
        ? List.of(
            "openCourse(%s)".formatted(course),
            "closeCourse(%s)".formatted(course),
            "deleteCourse(%s)".formatted(course),
            "enrol(%s, %s)".formatted(student, course))
        : List.of("enrolments()");
  }

  private static List<String> wikipedia(boolean writes, int user, int page) {
    return writes
        ? List.of(
            "addWatch(%d, %d)".formatted(user, page),
            "removeWatch(%d, %d)".formatted(user, page),
            "updatePage(%d, %d)".formatted(user, page))
        : List.of("getPage(%d)".formatted(page), "getPageAs(%d, %d)".formatted(user, page));
  }

  private static List<String> orders(boolean writes, int customer, int item) {
    return writes
        ? List.of(
            "newOrder(%d, %d)".formatted(customer, item),
            "payment(%d, 5)".formatted(customer),
            "delivery()")
        : List.of("orderStatus(%d)".formatted(customer), "stockLevel(%d)".formatted(item));
  }
}
