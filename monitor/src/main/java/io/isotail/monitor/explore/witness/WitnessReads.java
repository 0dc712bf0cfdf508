package io.isotail.monitor.explore.witness;

import io.isotail.incremental.anomaly.CapsuleTransaction;
import io.isotail.incremental.anomaly.OperationText;
import io.isotail.incremental.judge.CapsuleReading;
import io.isotail.incremental.record.OperationKind;
import io.isotail.incremental.record.Operations;
import io.isotail.monitor.explore.sql.SqlShape;
import io.isotail.monitor.terminal.Printable;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** The operations of a capsule that make a program, and what of them does not. */
final class WitnessReads {
  private static final String INITIAL = "initial";

  private final List<CapsuleTransaction> capsule;
  private final OperationText text;
  private final CapsuleReading reading;

  /** The number of each transaction in the program, by its place in the capsule. */
  private final Map<Integer, Integer> numbers = new HashMap<>();

  private final Map<Long, String> rows = new HashMap<>();
  private final Set<String> takenRows = new HashSet<>();

  /** Names of the transactions of the program: no two have the same. */
  private final List<String> names = new ArrayList<>();

  private final Set<String> missing = new LinkedHashSet<>();
  private @Nullable String never;

  /**
   * Reads a capsule.
   *
   * @param sessions the places of the transactions that committed, session by session
   */
  WitnessReads(
      List<CapsuleTransaction> capsule,
      CapsuleReading reading,
      Collection<List<Integer>> sessions) {
    this.capsule = capsule;
    this.text = OperationText.of(capsule);
    this.reading = reading;
    sessions.forEach(session -> session.forEach(i -> numbers.put(i, numbers.size() + 1)));
    Set<String> takenNames = new HashSet<>();
    for (int i = 0; i < capsule.size(); i++) {
      names.add(distinct(capsule.get(i).name(), takenNames));
      if (!numbers.containsKey(i)) {
        missing.add(
            "%s is not in the program: it is not known to have committed"
                .formatted(capsule.get(i).name()));
      }
    }
    if (reading.showsOrder()) {
      missing.add(
          "What lists showed of the order of versions is not in the program, but decides at which levels this is possible; raising one transaction is not asked");
    }
  }

  List<String> missing() {
    return List.copyOf(missing);
  }

  @Nullable String never() {
    return never;
  }

  /** What a transaction that committed does to the rows of the witness. */
  List<WitnessOperation> operations(int transaction) {
    CapsuleTransaction t = capsule.get(transaction);
    Operations ops = t.operations();
    List<WitnessOperation> made = new ArrayList<>();
    for (int i = 0; i < ops.size(); i++) {
      String statement = ops.statement(i).fingerprint();
      SqlShape.beyondItsRows(statement)
          .ifPresent(why -> missing.add("%s: `%s`: %s".formatted(t.name(), statement, why)));
      if (ops.undone(i)) {
        continue;
      }
      switch (ops.kind(i)) {
        case READ -> {
          WitnessOperation read = read(transaction, i, statement);
          if (read != null) {
            made.add(read);
          }
        }
        case WRITE, DELETE ->
            made.add(new WitnessOperation(false, row(ops, i), value(transaction, i), 0, statement));
        case OPAQUE ->
            missing.add(
                "%s may have written rows of %s that are not in the program"
                    .formatted(t.name(), ops.statement(i).table()));
        case LISTED -> {}
      }
    }
    return made;
  }

  private @Nullable WitnessOperation read(int transaction, int i, String statement) {
    CapsuleTransaction t = capsule.get(transaction);
    Operations ops = t.operations();
    OptionalInt writer = reading.writer(transaction, i);
    if (reading.bad(transaction, i)) {
      never =
          "%s read %s, which no transaction that committed left for it to read"
              .formatted(t.name(), text.assignment(ops, i));
      return null;
    }
    if (writer.isEmpty()) {
      if (!wroteBefore(ops, i)) {
        missing.add(
            "%s read %s: the witness does not tell from which transaction"
                .formatted(t.name(), text.assignment(ops, i)));
      }
      return null;
    }
    if (writer.getAsInt() == CapsuleReading.INITIAL) {
      return new WitnessOperation(true, row(ops, i), INITIAL, 0, statement);
    }
    CapsuleTransaction from = capsule.get(writer.getAsInt());
    Integer number = numbers.get(writer.getAsInt());
    if (number == null) {
      throw new IllegalStateException(from.name() + " was read, and so committed");
    }
    String value = text.version(ops, i) + " of " + names.get(writer.getAsInt());
    return new WitnessOperation(true, row(ops, i), value, number, statement);
  }

  /** Whether the read returned what its transaction had written, or may have. */
  private static boolean wroteBefore(Operations ops, int read) {
    for (int i = 0; i < read; i++) {
      if (ops.isWrite(i) && ops.key(i) == ops.key(read)) {
        return true;
      }
    }
    return false;
  }

  private String value(int transaction, int i) {
    Operations ops = capsule.get(transaction).operations();
    return (ops.kind(i) == OperationKind.DELETE ? "deleted" : text.version(ops, i))
        + " of "
        + names.get(transaction);
  }

  private String row(Operations ops, int i) {
    return rows.computeIfAbsent(
        ops.key(i),
        key -> {
          // Quotes end a text in a program.
          String name = Printable.escaped(OperationText.key(ops, i)).replace('"', '\'');
          return distinct(name, takenRows);
        });
  }

  private static String distinct(String name, Set<String> taken) {
    String free = name;
    for (int n = 2; !taken.add(free); n++) {
      free = name + " (" + n + ")";
    }
    return free;
  }
}
