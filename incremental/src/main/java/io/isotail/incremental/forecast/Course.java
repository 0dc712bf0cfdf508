package io.isotail.incremental.forecast;

import io.isotail.incremental.forecast.Meeting.Action;
import io.isotail.incremental.forecast.Meeting.Part;
import io.isotail.incremental.record.Operations;
import io.isotail.incremental.record.Outcome;
import io.isotail.incremental.record.SessionInfo;
import io.isotail.incremental.record.TransactionRecord;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * One order in which the steps of a meeting can run so that its executions depend on each other in
 * a circle.
 */
public final class Course {
  private static final long BEFORE = 1;

  private final List<Part> parts;
  private final int[] order;
  private final int[] committed;
  private final List<List<Integer>> read;
  private final Set<Step> stale;

  Course(
      List<Part> parts, int[] order, int[] committed, List<List<Integer>> read, Set<Step> stale) {
    this.parts = parts;
    this.order = order;
    this.committed = committed;
    this.read = read;
    this.stale = Set.copyOf(stale);
  }

  /**
   * A moment of the course.
   *
   * @param part the execution's number
   * @param step the statement; null for the commit
   * @param done what it does to rows that others touch too
   */
  public record Turn(int part, @Nullable Step step, List<Done> done) {
    /** Copies the list. */
    public Turn {
      done = List.copyOf(done);
    }
  }

  /**
   * What a statement does to a row.
   *
   * @param verb {@code reads}, {@code locks}, {@code writes}, {@code inserts} or {@code deletes}
   * @param row its name, or its key as a number
   * @param column empty for the row as a whole, or where no other one is changed
   * @param from of a read the execution that wrote what it returns; {@link #BEFORE_ALL} for the row
   *     as it was, {@link #NOT_READ} where nothing is read
   */
  public record Done(String verb, String row, String column, int from) {
    /** As the writer: the row as it was before. */
    public static final int BEFORE_ALL = Interleavings.INITIAL;

    /** As the writer: it is no read of what another one changes. */
    public static final int NOT_READ = -2;
  }

  /** The executions, as they ran when they were seen. */
  public List<Execution> executions() {
    return parts.stream().map(Part::of).toList();
  }

  /** The order of the statements that have to do with each other, and of the commits. */
  public List<Turn> turns() {
    int[] next = new int[parts.size()];
    int[] nextRead = new int[parts.size()];
    List<Turn> turns = new ArrayList<>();
    for (int part : order) {
      List<List<Action>> steps = parts.get(part).steps();
      int step = next[part]++;
      if (step == steps.size()) {
        turns.add(new Turn(part, null, List.of()));
        continue;
      }
      List<Done> done = new ArrayList<>();
      for (Action action : steps.get(step)) {
        boolean reads = PartMoves.isRead(action);
        done.add(
            new Done(
                verb(action),
                row(action),
                action.column(),
                reads ? read.get(part).get(nextRead[part]++) : Done.NOT_READ));
      }
      turns.add(new Turn(part, steps.get(step).get(0).step(), done));
    }
    return turns;
  }

  private static String verb(Action action) {
    return switch (action.touch().kind()) {
      case READ, READ_ABSENT ->
          action.step().facts().lock() == StatementFacts.Lock.NONE ? "reads" : "locks";
      case WRITE -> "writes";
      case INSERT -> "inserts";
      case DELETE -> "deletes";
    };
  }

  private static String row(Action action) {
    String name = action.touch().name();
    String table = action.step().statement().table();
    String key = name == null ? String.format("%016x", action.touch().key()) : name;
    return table == null || key.startsWith(table) ? key : table + " " + key;
  }

  /** The queries that return what another execution changes before theirs ends, by execution. */
  boolean isStale(int part, Step step) {
    return stale.contains(step)
        && parts.get(part).steps().stream()
            .flatMap(List::stream)
            .anyMatch(a -> a.step().equals(step));
  }

  /** Whether it rests on a query of which it is not known whether it looked at such rows. */
  boolean isOfScans() {
    return stale.stream().anyMatch(step -> step.scans() || looksAtOthers(step));
  }

  private boolean looksAtOthers(Step step) {
    return parts.stream()
        .flatMap(part -> part.steps().stream())
        .flatMap(List::stream)
        .anyMatch(action -> action.step().equals(step) && action.guessed());
  }

  /** Whether each stale query's transaction changes the row by computing from what it finds. */
  boolean writesRelatively() {
    return parts.stream()
        .flatMap(part -> part.of().steps().stream())
        .filter(Step::writes)
        .allMatch(step -> step.facts().relative());
  }

  /** What a capture would record of it: one transaction after the other as they commit. */
  List<TransactionRecord> records() {
    return IntStream.range(0, committed.length)
        .boxed()
        .sorted(Comparator.comparingInt(part -> committed[part]))
        .map(this::record)
        .toList();
  }

  private TransactionRecord record(int part) {
    Execution of = parts.get(part).of();
    return new TransactionRecord(
        new SessionInfo(part + 1, "T" + (part + 1), null, of.service(), null, null, 0),
        0,
        1,
        0,
        Outcome.COMMITTED,
        of.ranAt(),
        TransactionRecord.NO_TIME,
        TransactionRecord.NO_TIME,
        null,
        operations(part),
        of.origin());
  }

  private Operations operations(int part) {
    Operations.Builder operations = new Operations.Builder();
    BitSet initial = new BitSet();
    Map<Integer, Integer> own = new HashMap<>();
    int next = 0;
    for (List<Action> step : parts.get(part).steps()) {
      for (Action action : step) {
        if (action.item() < 0) {
          continue;
        }
        operations.statement(action.step().statement());
        long key = action.item() + 1L;
        long version;
        if (!action.touch().isRead()) {
          int earlier = own.merge(action.item(), 1, Integer::sum) - 1;
          version = version(part, earlier);
          operations.write(key, version);
          if (action.touch().kind() != Touch.Kind.INSERT) {
            operations.replaces(earlier > 0 ? version - 1 : replaced(part, action));
          }
        } else {
          int writer = read.get(part).get(next++);
          if (writer == Interleavings.INITIAL) {
            initial.set(operations.size());
            version = action.touch().kind() == Touch.Kind.READ_ABSENT ? 0 : BEFORE;
          } else {
            int writes =
                writer == part ? own.getOrDefault(action.item(), 0) : writes(writer, action);
            version = version(writer, writes - 1);
          }
          if (version == 0) {
            operations.readInitial(key);
          } else {
            operations.read(key, version);
          }
        }
        operations.names(action.name(), version == 0 ? null : name(version));
      }
    }
    return operations.build().withInitial(initial);
  }

  private static String name(long version) {
    return version == BEFORE ? "as before" : "as changed by T" + version / VERSIONS;
  }

  /** Versions that one execution may install of an item. */
  private static final long VERSIONS = 1_000;

  private static long version(int part, int earlier) {
    return (part + 1) * VERSIONS + earlier;
  }

  /** The version that a part's first write of an item replaces: who writes a row locks it. */
  private long replaced(int part, Action of) {
    long replaced = BEFORE;
    int latest = 0;
    for (int other = 0; other < parts.size(); other++) {
      int writes = writes(other, of);
      if (writes > 0 && committed[other] < committed[part] && committed[other] > latest) {
        latest = committed[other];
        replaced = version(other, writes - 1);
      }
    }
    return replaced;
  }

  /** How often a part writes the item of an action. */
  private int writes(int part, Action of) {
    int count = 0;
    for (List<Action> step : parts.get(part).steps()) {
      for (Action action : step) {
        count += action.item() == of.item() && !action.touch().isRead() ? 1 : 0;
      }
    }
    return count;
  }
}
