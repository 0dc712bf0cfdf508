package io.isotail.monitor.explore.witness;

import io.isotail.incremental.anomaly.Anomaly;
import io.isotail.incremental.anomaly.CapsuleTransaction;
import io.isotail.incremental.explore.ExploredHistory;
import io.isotail.incremental.explore.Program;
import io.isotail.incremental.explore.Replay;
import io.isotail.incremental.explore.language.ProgramText;
import io.isotail.incremental.judge.CapsuleReading;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The transactions of an anomaly as a program: each that committed makes its reads and writes of
 * the rows of the witness, one after another, without choices. Which transaction each of its reads
 * read from is the one history in which the anomaly happened.
 */
public final class WitnessProgram {
  /** Most transactions: a final one asserts in {@link #text} that the anomaly does not happen. */
  static final int MOST_TRANSACTIONS = Program.MAX_TRANSACTIONS - 1;

  /**
   * A transaction of the program.
   *
   * @param of what it is made of
   * @param kind by which its level can be chosen: {@link Program#withLevel}
   * @param operations its reads and writes of the rows of the witness, in their order
   */
  public record Part(CapsuleTransaction of, String kind, List<WitnessOperation> operations) {
    /** Copies the list. */
    public Part {
      operations = List.copyOf(operations);
    }

    /** The numbers of the transactions that its reads read from; 0 for the initial version. */
    List<Integer> sources() {
      return operations.stream()
          .filter(WitnessOperation::isRead)
          .map(WitnessOperation::source)
          .toList();
    }
  }

  private final Anomaly anomaly;
  private final List<Part> parts;
  private final List<String> missing;
  private final @Nullable String never;
  private final boolean lists;

  private WitnessProgram(Anomaly anomaly, List<Part> parts, WitnessReads reads, boolean lists) {
    this.anomaly = anomaly;
    this.parts = List.copyOf(parts);
    this.missing = reads.missing();
    this.never = reads.never();
    this.lists = lists;
  }

  /**
   * Makes the program.
   *
   * @throws IllegalArgumentException if the anomaly has no capsule, or one of too many transactions
   */
  public static WitnessProgram of(Anomaly anomaly) {
    List<CapsuleTransaction> capsule = anomaly.capsule();
    if (capsule.isEmpty()) {
      throw new IllegalArgumentException(
          "the anomaly %s comes without its transactions; expected one with a capsule"
              .formatted(anomaly.id()));
    }
    CapsuleReading reading = CapsuleReading.of(capsule);
    Map<Long, List<Integer>> sessions = new LinkedHashMap<>();
    int count = 0;
    for (int i = 0; i < capsule.size(); i++) {
      if (reading.committed(i)) {
        sessions.computeIfAbsent(capsule.get(i).session().id(), id -> new ArrayList<>()).add(i);
        count++;
      }
    }
    if (count > MOST_TRANSACTIONS) {
      throw new IllegalArgumentException(
          "the anomaly %s has %d transactions; expected at most %d"
              .formatted(anomaly.id(), count, MOST_TRANSACTIONS));
    }
    WitnessReads reads = new WitnessReads(capsule, reading, sessions.values());
    List<Part> parts = new ArrayList<>();
    int number = 0;
    for (List<Integer> session : sessions.values()) {
      number++;
      for (int i = 0; i < session.size(); i++) {
        String kind = "s%d.t%d".formatted(number, i + 1);
        int transaction = session.get(i);
        parts.add(new Part(capsule.get(transaction), kind, reads.operations(transaction)));
      }
    }
    return new WitnessProgram(anomaly, parts, reads, reading.showsOrder());
  }

  /** What it is made of. */
  public Anomaly anomaly() {
    return anomaly;
  }

  /** Its transactions, session by session; their numbers count from 1. */
  public List<Part> parts() {
    return parts;
  }

  /** Its transactions by the code that they come from. */
  public List<CodeGroup> groups() {
    return CodeGroup.of(parts);
  }

  /** What of the witness is not in the program, and why: sentences. */
  public List<String> missing() {
    return missing;
  }

  /** Why no level allows what happened, in words, where a read is bad in itself; else null. */
  public @Nullable String never() {
    return never;
  }

  /**
   * Whether lists were read, which show an order of versions that the program cannot have: then the
   * judge is asked of levels, and not the program.
   */
  public boolean readsLists() {
    return lists;
  }

  /** The program as text: at its end it asserts that the anomaly does not happen. */
  public String text() {
    return new WitnessText(anomaly, parts).asserting();
  }

  /** The program. */
  public Program program() {
    return ProgramText.parse(name(), new WitnessText(anomaly, parts).plain(), Map.of());
  }

  /** Name of the program, for people. */
  public String name() {
    return anomaly.kind() + " " + anomaly.id();
  }

  /**
   * The history in which the anomaly happened.
   *
   * @param program the {@link #program}, or the same with other levels
   * @return empty if no level allows it
   */
  public Optional<ExploredHistory> history(Program program) {
    if (never != null) {
      return Optional.empty();
    }
    return Replay.of(
        program, (transaction, read, variable) -> parts.get(transaction - 1).sources().get(read));
  }
}
