package io.isotail.incremental.explore;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Every program without branches up to a bound: reads and writes of a few variables. Of those that
 * differ in the names of variables and in the order of sessions, one.
 *
 * @param sessions sessions of each program
 * @param transactions most transactions of a session
 * @param operations most operations of a transaction
 * @param variables most variables
 */
record EveryProgram(int sessions, int transactions, int operations, int variables) {

  /** A transaction as its operations: 2v reads variable v, and 2v + 1 writes it. */
  private List<List<Integer>> bodies() {
    List<List<Integer>> all = new ArrayList<>();
    List<List<Integer>> last = List.of(List.of());
    for (int length = 1; length <= operations; length++) {
      List<List<Integer>> longer = new ArrayList<>();
      for (List<Integer> body : last) {
        for (int operation = 0; operation < 2 * variables; operation++) {
          List<Integer> one = new ArrayList<>(body);
          one.add(operation);
          longer.add(List.copyOf(one));
        }
      }
      all.addAll(longer);
      last = longer;
    }
    return all;
  }

  /** Gives each program out, as the operations of its sessions' transactions. */
  void forEach(Consumer<List<List<List<Integer>>>> out) {
    List<List<List<Integer>>> choices = new ArrayList<>();
    List<List<List<Integer>>> last = List.of(List.of());
    for (int length = 1; length <= transactions; length++) {
      List<List<List<Integer>>> longer = new ArrayList<>();
      for (List<List<Integer>> session : last) {
        for (List<Integer> body : bodies()) {
          List<List<Integer>> one = new ArrayList<>(session);
          one.add(body);
          longer.add(List.copyOf(one));
        }
      }
      choices.addAll(longer);
      last = longer;
    }
    combine(choices, 0, new ArrayList<>(), out);
  }

  private void combine(
      List<List<List<Integer>>> choices,
      int from,
      List<List<List<Integer>>> chosen,
      Consumer<List<List<List<Integer>>>> out) {
    if (chosen.size() == sessions) {
      if (namesComeInOrder(chosen)) {
        out.accept(List.copyOf(chosen));
      }
      return;
    }
    for (int i = from; i < choices.size(); i++) {
      chosen.add(choices.get(i));
      combine(choices, i, chosen, out);
      chosen.remove(chosen.size() - 1);
    }
  }

  /** Variable 0 occurs before variable 1, and so on. */
  private static boolean namesComeInOrder(List<List<List<Integer>>> program) {
    int next = 0;
    for (List<List<Integer>> session : program) {
      for (List<Integer> body : session) {
        for (int operation : body) {
          if (operation / 2 > next) {
            return false;
          }
          next = Math.max(next, operation / 2 + 1);
        }
      }
    }
    return true;
  }

  static Program program(List<List<List<Integer>>> sessions) {
    List<Program.Session> all = new ArrayList<>();
    for (int s = 0; s < sessions.size(); s++) {
      List<List<Integer>> bodies = sessions.get(s);
      List<String> names = new ArrayList<>();
      for (int t = 0; t < bodies.size(); t++) {
        names.add("t" + t);
      }
      int session = s;
      all.add(
          Program.Session.of(
              "s" + s, names, () -> new StraightLine(session, bodies, 0, 0, Map.of())));
    }
    return new Program(sessions.toString(), new HashMap<>(), all, false, null);
  }

  /** Code without branches; what it writes tells where it stands. */
  private static final class StraightLine implements Execution {
    private final int session;
    private final List<List<Integer>> bodies;
    private final int transaction;
    private final Map<String, Object> writes;
    private int at;
    private @Nullable String variable;

    StraightLine(
        int session,
        List<List<Integer>> bodies,
        int transaction,
        int at,
        Map<String, Object> writes) {
      this.session = session;
      this.bodies = bodies;
      this.transaction = transaction;
      this.writes = new TreeMap<>(writes);
      this.at = at;
      run();
    }

    private void run() {
      List<Integer> body = bodies.get(transaction);
      for (; at < body.size(); at++) {
        String name = "v" + body.get(at) / 2;
        if (body.get(at) % 2 == 1) {
          writes.put(name, "s" + session + "t" + transaction + "o" + at);
        } else if (!writes.containsKey(name)) {
          variable = name;
          return;
        }
      }
    }

    @Override
    public State state() {
      return variable == null ? State.COMMITTED : State.READS;
    }

    @Override
    public String variable() {
      if (variable == null) {
        throw new IllegalStateException("it has ended");
      }
      return variable;
    }

    @Override
    public Map<String, Object> writes() {
      return writes;
    }

    @Override
    public @Nullable String failure() {
      return null;
    }

    @Override
    public Execution resume(Object value) {
      return new StraightLine(session, bodies, transaction, at + 1, writes);
    }

    @Override
    public Execution next() {
      return new StraightLine(session, bodies, transaction + 1, 0, Map.of());
    }
  }
}
