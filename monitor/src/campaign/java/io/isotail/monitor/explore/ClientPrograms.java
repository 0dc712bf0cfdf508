package io.isotail.monitor.explore;

import io.isotail.incremental.explore.Program;
import io.isotail.incremental.explore.language.ProgramText;
import java.util.List;
import java.util.Map;
import java.util.Random;

/**
 * Client programs of the applications of Bouajjani, Enea and Román-Calvo (PLDI 2023, Section 7.2):
 * sessions of transactions that a seed chooses.
 */
final class ClientPrograms {
  /** The applications. */
  static final List<String> APPLICATIONS =
      List.of("shopping-cart", "twitter", "courseware", "wikipedia", "tpc-c");

  private ClientPrograms() {}

  /** A program of one application. */
  static Program of(String application, int number, int sessions, int transactions) {
    String text = Examples.text(application);
    StringBuilder client = new StringBuilder(text.substring(0, text.indexOf("\nsession ") + 1));
    for (int s = 0; s < sessions; s++) {
      // A program with more sessions, or longer ones, begins like one with fewer.
      Random random = new Random(31L * application.hashCode() + 101L * number + s);
      client.append("session s").append(s + 1).append(" { ");
      for (int t = 0; t < transactions; t++) {
        client.append(call(application, random)).append("; ");
      }
      client.append("}\n");
    }
    return ProgramText.parse(application + " " + number, client.toString(), Map.of());
  }

  private static String call(String application, Random random) {
    int one = 1 + random.nextInt(2);
    int two = 1 + random.nextInt(2);
    String item = two == 1 ? "\"pen\"" : "\"ink\"";
    String course = two == 1 ? "\"logic\"" : "\"sets\"";
    String student = one == 1 ? "\"ann\"" : "\"ben\"";
    List<String> calls =
        switch (application) {
          case "shopping-cart" ->
              List.of(
                  "addItem(%d, %s, 1)".formatted(one, item),
                  "getCart(%d)".formatted(one),
                  "removeItem(%d, %s)".formatted(one, item),
                  "changeQuantity(%d, %s, 1)".formatted(one, item));
          case "twitter" ->
              List.of(
                  "follow(%d, %d)".formatted(one, 3 - one),
                  "publish(%d, \"%d\")".formatted(one, two),
                  "followers(%d)".formatted(one),
                  "tweets(%d)".formatted(one),
                  "timeline(%d)".formatted(one));
          case "courseware" ->
              List.of(
                  "openCourse(%s)".formatted(course),
                  "closeCourse(%s)".formatted(course),
                  "deleteCourse(%s)".formatted(course),
                  "enrol(%s, %s)".formatted(student, course),
                  "enrolments()");
          case "wikipedia" ->
              List.of(
                  "getPage(%d)".formatted(two),
                  "getPageAs(%d, %d)".formatted(one, two),
                  "addWatch(%d, %d)".formatted(one, two),
                  "removeWatch(%d, %d)".formatted(one, two),
                  "updatePage(%d, %d)".formatted(one, two));
          default ->
              List.of(
                  "newOrder(%d, %d)".formatted(one, two),
                  "payment(%d, 5)".formatted(one),
                  "orderStatus(%d)".formatted(one),
                  "delivery()",
                  "stockLevel(%d)".formatted(two));
        };
    return calls.get(random.nextInt(calls.size()));
  }
}
