package io.isotail.incremental.forecast;

import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Which executions of transactions are run beside each other, and with which rows. */
final class Choices {
  private Choices() {}

  /** Every choice of one execution of each; the same one may run twice. */
  static List<List<Execution>> of(List<List<Execution>> executions) {
    List<List<Execution>> all = List.of(List.of());
    for (List<Execution> ofOne : executions) {
      List<List<Execution>> longer = new ArrayList<>();
      for (List<Execution> chosen : all) {
        for (Execution next : ofOne) {
          List<Execution> more = new ArrayList<>(chosen);
          more.add(next);
          longer.add(more);
        }
      }
      all = longer;
    }
    return all;
  }

  /** No row stands for another one. */
  static List<Map<Long, Long>> asTheyAre(int executions) {
    return Collections.nCopies(executions, Map.of());
  }

  /**
   * Ways to take rows of executions for the same rows, table by table: all in the order in which
   * they were touched, and then each one alone.
   */
  static List<List<Map<Long, Long>>> renamed(List<Execution> executions) {
    Map<String, List<Long>> rows = rows(executions.get(0));
    Set<List<Map<Long, Long>>> ways = new LinkedHashSet<>();
    List<Map<Long, Long>> inOrder = new ArrayList<>();
    inOrder.add(Map.of());
    for (Execution other : executions.subList(1, executions.size())) {
      Map<Long, Long> names = new HashMap<>();
      rows(other)
          .forEach(
              (table, touched) -> {
                List<Long> first = rows.getOrDefault(table, List.of());
                for (int i = 0; i < Math.min(first.size(), touched.size()); i++) {
                  names.put(touched.get(i), first.get(i));
                }
              });
      inOrder.add(names);
    }
    ways.add(inOrder);
    if (executions.size() == 2) {
      rows(executions.get(1))
          .forEach(
              (table, touched) -> {
                for (long row : touched) {
                  for (long first : rows.getOrDefault(table, List.of())) {
                    if (ways.size() < Limits.RENAMINGS) {
                      ways.add(List.of(Map.of(), Map.of(row, first)));
                    }
                  }
                }
              });
    }
    return List.copyOf(ways);
  }

  private static Map<String, List<Long>> rows(Execution execution) {
    Set<Long> own = execution.ownRows();
    Map<String, List<Long>> rows = new LinkedHashMap<>();
    for (Step step : execution.steps()) {
      String table = step.statement().table();
      for (Touch touch : step.touches()) {
        if (table != null && !own.contains(touch.key())) {
          List<Long> known = rows.computeIfAbsent(table, name -> new ArrayList<>());
          if (!known.contains(touch.key())) {
            known.add(touch.key());
          }
        }
      }
    }
    return rows;
  }
}
