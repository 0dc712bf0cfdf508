package io.isotail.monitor.render;

import io.isotail.incremental.anomaly.Anomaly;
import io.isotail.incremental.anomaly.CapsuleTransaction;
import io.isotail.incremental.anomaly.CycleEdge;
import io.isotail.incremental.anomaly.EdgeKind;
import io.isotail.incremental.anomaly.OperationText;
import io.isotail.incremental.record.OperationKind;
import io.isotail.incremental.record.Operations;
import io.isotail.incremental.record.Outcome;
import io.isotail.monitor.terminal.Printable;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The transactions of a cycle side by side, as text, in an order of their operations in which it
 * can have happened: each read comes after the commit of whom it read from, and before the commit
 * of whom it missed; each write after the commit of whose version it overwrote, and of whoever has
 * written the row before it, as databases lock rows.
 */
public final class LanesText {
  private static final int MOST_LANES = 3;
  private static final int MOST_CHARS = 40;
  private static final String INDENT = "  ";
  private static final String GAP = "   ";

  private final Anomaly anomaly;
  private final OperationText words;
  private final Map<String, Lane> lanes = new LinkedHashMap<>();

  private LanesText(Anomaly anomaly) {
    this.anomaly = anomaly;
    this.words = OperationText.of(anomaly.capsule());
  }

  /** An operation, or the commit, with what must come before it. */
  private static final class Event {
    final String words;

    /** The row that it writes; null if it writes none. */
    final @Nullable String written;

    final List<Event> after = new ArrayList<>();
    boolean told;

    Event(String words, @Nullable String written) {
      this.written = written;
      this.words = SvgText.cut(Printable.escaped(words), MOST_CHARS);
    }

    boolean mayCome() {
      return after.stream().allMatch(earlier -> earlier.told);
    }
  }

  /** A transaction; the last event is its commit. */
  private static final class Lane {
    final String name;
    final Operations operations;
    final List<Event> events = new ArrayList<>();
    final Map<Integer, Event> byOperation = new LinkedHashMap<>();
    final Event commit = new Event("commit", null);
    int told;

    Lane(CapsuleTransaction t, OperationText words) {
      this.name = Printable.escaped(t.name());
      this.operations = t.operations();
      for (int i = 0; i < operations.size(); i++) {
        String kind = operations.undone(i) ? null : kind(operations.kind(i));
        if (kind != null) {
          boolean deletes = operations.kind(i) == OperationKind.DELETE;
          String of = deletes ? OperationText.key(operations, i) : words.assignment(operations, i);
          boolean reads = operations.kind(i) == OperationKind.READ;
          Event event = new Event(kind + " " + of, reads ? null : OperationText.key(operations, i));
          events.add(event);
          byOperation.put(i, event);
        }
      }
      events.add(commit);
    }

    private static @Nullable String kind(OperationKind kind) {
      return switch (kind) {
        case READ -> "read ";
        case WRITE -> "wrote";
        case DELETE -> "deleted";
        default -> null;
      };
    }

    @Nullable Event next() {
      return told < events.size() ? events.get(told) : null;
    }

    boolean hasWritten(String row) {
      return events.stream().anyMatch(event -> event.told && row.equals(event.written));
    }

    boolean wroteWhatWasRead(Operations by, int read) {
      return by.kind(read) == OperationKind.READ
          && byOperation.keySet().stream()
              .anyMatch(
                  i ->
                      operations.kind(i) == OperationKind.WRITE
                          && operations.key(i) == by.key(read)
                          && operations.versionKind(i) == by.versionKind(read)
                          && operations.version(i) == by.version(read));
    }

    int width() {
      int widest = name.length();
      for (Event event : events) {
        widest = Math.max(widest, event.words.length());
      }
      return widest;
    }
  }

  /**
   * The lanes, with an end of line; null where no such order exists, as of what no single copy of
   * the data shows, or where more than three transactions take part.
   */
  public static @Nullable String of(Anomaly anomaly) {
    return new LanesText(anomaly).render();
  }

  private @Nullable String render() {
    for (CycleEdge edge : anomaly.cycle()) {
      if (edge.kind() == EdgeKind.CO || !add(edge.from()) || !add(edge.to())) {
        return null;
      }
    }
    if (lanes.size() < 2) {
      return null;
    }
    anomaly.cycle().forEach(this::constrain);
    lanes.values().forEach(this::constrainReads);
    StringBuilder text = new StringBuilder();
    line(text, null, "");
    while (lanes.values().stream().anyMatch(lane -> lane.next() != null)) {
      Lane lane = next();
      if (lane == null) {
        return null;
      }
      Event event = lane.events.get(lane.told++);
      event.told = true;
      line(text, lane, event.words);
    }
    return text.toString();
  }

  private boolean add(String name) {
    for (CapsuleTransaction t : anomaly.capsule()) {
      if (t.name().equals(name) && t.outcome() == Outcome.COMMITTED) {
        lanes.computeIfAbsent(name, n -> new Lane(t, words));
        return lanes.size() <= MOST_LANES;
      }
    }
    return false;
  }

  private void constrain(CycleEdge edge) {
    Lane from = lanes.get(edge.from());
    Lane to = lanes.get(edge.to());
    if (from == null || to == null || from == to) {
      return;
    }
    switch (edge.kind()) {
      case RW -> each(from, true, edge.key(), read -> to.commit.after.add(read));
      case WW -> each(to, false, edge.key(), write -> write.after.add(from.commit));
      case SO, RT -> to.events.get(0).after.add(from.commit);
      default -> {
        // Each read is asked whom it read from.
      }
    }
  }

  private interface Constraint {
    void of(Event event);
  }

  private static void each(Lane lane, boolean reads, @Nullable String key, Constraint constraint) {
    lane.byOperation.forEach(
        (i, event) -> {
          boolean read = lane.operations.kind(i) == OperationKind.READ;
          if (read == reads && OperationText.key(lane.operations, i).equals(key)) {
            constraint.of(event);
          }
        });
  }

  /** What it read from others comes after their commits. */
  private void constrainReads(Lane lane) {
    lane.byOperation.forEach(
        (i, event) -> {
          for (Lane other : lanes.values()) {
            if (other != lane && other.wroteWhatWasRead(lane.operations, i)) {
              event.after.add(other.commit);
            }
          }
        });
  }

  /** The one that has told least of those that may go on; null if all wait for each other. */
  private @Nullable Lane next() {
    Lane least = null;
    boolean leastWaits = true;
    for (Lane lane : lanes.values()) {
      Event next = lane.next();
      boolean waits = next != null && isLocked(next, lane);
      boolean better = waits == leastWaits ? least == null || lane.told < least.told : leastWaits;
      if (next != null && next.mayCome() && better) {
        least = lane;
        leastWaits = waits;
      }
    }
    return least;
  }

  /** Whether another one has written the row and is still open. */
  private boolean isLocked(Event event, Lane by) {
    return event.written != null
        && lanes.values().stream()
            .anyMatch(lane -> lane != by && !lane.commit.told && lane.hasWritten(event.written));
  }

  /** A line of one lane's words; of all names where no lane is given. */
  private void line(StringBuilder text, @Nullable Lane of, String words) {
    StringBuilder line = new StringBuilder(INDENT);
    for (Lane lane : lanes.values()) {
      String own = of == null ? lane.name : lane == of ? words : "";
      line.append(("%-" + lane.width() + "s").formatted(own)).append(GAP);
    }
    text.append(line.toString().stripTrailing()).append('\n');
  }
}
