package io.isotail.incremental;

import io.isotail.incremental.anomaly.Anomaly;
import io.isotail.incremental.anomaly.CapsuleTransaction;
import io.isotail.incremental.anomaly.OperationText;
import io.isotail.incremental.level.IsolationLevel;
import io.isotail.incremental.record.OperationKind;
import io.isotail.incremental.record.Operations;
import io.isotail.incremental.record.VersionKind;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Which versions a sentence says were overwritten by which, and which of that the capsule shows: by
 * sessions, reads, lists and, for {@code strict-serializable}, the clock. It shares nothing with
 * what makes the sentences.
 */
final class ToldOrders {
  private static final String VERSION = "(\\S+?=[\\w-]+)";
  private static final Pattern TOLD =
      Pattern.compile(
          "read "
              + VERSION
              + "(?: from \\S+| from the initial state)? although (?:(?!although).)*?had overwritten it with "
              + VERSION
              + "|"
              + VERSION
              + ", which (\\S+) overwrote"
              + "|([^\\s(]+) overwrote "
              + VERSION
              + " of"
              + "|(\\S+) and (\\S+) both read "
              + VERSION
              + " and both overwrote it"
              + "|(had itself overwritten that version|which had overwritten that version before it committed)");

  /** A sentence says that a transaction overwrote this version; each by its name. */
  record Told(String version, String overwriter) {}

  private record Installed(long key, long version, boolean initial) {}

  private final Anomaly anomaly;
  private final List<CapsuleTransaction> capsule;
  private final Map<String, Installed> versions = new HashMap<>();
  private final boolean[][] before;

  ToldOrders(Anomaly anomaly) {
    this.anomaly = anomaly;
    this.capsule = anomaly.capsule();
    OperationText text = OperationText.of(capsule);
    this.before = new boolean[capsule.size()][capsule.size()];
    for (CapsuleTransaction t : capsule) {
      Operations ops = t.operations();
      for (int op = 0; op < ops.size(); op++) {
        boolean initial = ops.versionKind(op) == VersionKind.INITIAL;
        versions.put(
            text.assignment(ops, op),
            new Installed(ops.key(op), initial ? 0 : ops.version(op), initial));
      }
    }
    for (int a = 0; a < capsule.size(); a++) {
      for (int b = 0; b < capsule.size(); b++) {
        before[a][b] = a != b && (isSession(a, b) || isRead(a, b) || isRealTime(a, b));
      }
    }
    for (CapsuleTransaction t : capsule) {
      addLists(t.operations());
    }
    close();
    for (CapsuleTransaction t : capsule) {
      addNeighbours(t.operations());
    }
    close();
  }

  private void close() {
    for (int via = 0; via < capsule.size(); via++) {
      for (int a = 0; a < capsule.size(); a++) {
        for (int b = 0; b < capsule.size(); b++) {
          before[a][b] |= before[a][via] && before[via][b];
        }
      }
    }
  }

  /** What the sentence says; fails if it speaks of overwriting in words that are not known. */
  List<Told> told() {
    List<Told> told = new ArrayList<>();
    Matcher matcher = TOLD.matcher(anomaly.explanation());
    long found = 0;
    while (matcher.find()) {
      add(matcher.toMatchResult(), told);
      found++;
    }
    long spoken = Pattern.compile("overw").matcher(anomaly.explanation()).results().count();
    if (found != spoken) {
      throw new AssertionError("not understood: " + anomaly.explanation());
    }
    return told;
  }

  private void add(MatchResult match, List<Told> told) {
    if (match.group(1) != null) {
      told.add(new Told(match.group(1), writer(match.group(2))));
    } else if (match.group(3) != null) {
      told.add(new Told(match.group(3), match.group(4)));
    } else if (match.group(5) != null) {
      told.add(new Told(match.group(6), match.group(5)));
    } else if (match.group(7) != null) {
      told.add(new Told(match.group(9), match.group(7)));
      told.add(new Told(match.group(9), match.group(8)));
    }
  }

  private String writer(String version) {
    Installed installed = Objects.requireNonNull(versions.get(version), version);
    return capsule.get(writerOf(installed)).name();
  }

  /** Whether the capsule shows it. */
  boolean isKnown(Told told) {
    Installed version = Objects.requireNonNull(versions.get(told.version()), told.version());
    int overwriter = -1;
    for (int i = 0; i < capsule.size(); i++) {
      overwriter = capsule.get(i).name().equals(told.overwriter()) ? i : overwriter;
    }
    if (overwriter < 0) {
      throw new AssertionError(told + " of " + anomaly);
    }
    return version.initial || before[writerOf(version)][overwriter];
  }

  private int writerOf(Installed version) {
    for (int i = 0; i < capsule.size(); i++) {
      if (writes(i, version.key, version.version)) {
        return i;
      }
    }
    throw new AssertionError("nobody wrote " + version + " in " + capsule);
  }

  private boolean writes(int i, long key, long version) {
    Operations ops = capsule.get(i).operations();
    for (int op = 0; op < ops.size(); op++) {
      if (ops.isWrite(op) && ops.key(op) == key && ops.version(op) == version) {
        return true;
      }
    }
    return false;
  }

  private boolean isSession(int a, int b) {
    CapsuleTransaction first = capsule.get(a);
    CapsuleTransaction later = capsule.get(b);
    return first.session().id() == later.session().id() && first.position() < later.position();
  }

  private boolean isRead(int a, int b) {
    Operations ops = capsule.get(b).operations();
    for (int op = 0; op < ops.size(); op++) {
      boolean read = ops.kind(op) == OperationKind.READ || ops.kind(op) == OperationKind.LISTED;
      if (read
          && ops.versionKind(op) == VersionKind.KNOWN
          && writes(a, ops.key(op), ops.version(op))) {
        return true;
      }
    }
    return false;
  }

  private boolean isRealTime(int a, int b) {
    CapsuleTransaction first = capsule.get(a);
    CapsuleTransaction later = capsule.get(b);
    return anomaly.level() == IsolationLevel.STRICT_SERIALIZABLE
        && first.times().hasEnd()
        && first.times().orderable()
        && later.times().orderable()
        && Objects.equals(first.times().clock(), later.times().clock())
        && first.times().endNs() < later.times().beginNs();
  }

  /** Who is listed comes before whom is listed behind, and before all others behind the start. */
  private void addLists(Operations ops) {
    for (int op = 0; op + 1 < ops.size(); op++) {
      if (!ops.listedBefore(op) || ops.versionKind(op + 1) != VersionKind.KNOWN) {
        continue;
      }
      for (int later = 0; later < capsule.size(); later++) {
        for (int first = 0; first < capsule.size(); first++) {
          boolean shown =
              ops.versionKind(op) == VersionKind.INITIAL
                  ? writes(first, ops.key(op), ops.version(op + 1)) && writesKey(later, ops.key(op))
                  : writes(first, ops.key(op), ops.version(op))
                      && writes(later, ops.key(op), ops.version(op + 1));
          before[first][later] |= shown && first != later;
        }
      }
    }
  }

  /** What comes behind an element of a list comes behind the next one too. */
  private void addNeighbours(Operations ops) {
    for (int op = 0; op + 1 < ops.size(); op++) {
      for (int later = 0; later < capsule.size() && ops.listedBefore(op); later++) {
        for (int first = 0; first < capsule.size(); first++) {
          for (int next = 0; next < capsule.size(); next++) {
            before[next][later] |=
                next != later
                    && before[first][later]
                    && writesKey(later, ops.key(op))
                    && writes(first, ops.key(op), ops.version(op))
                    && writes(next, ops.key(op), ops.version(op + 1));
          }
        }
      }
    }
  }

  private boolean writesKey(int i, long key) {
    Operations ops = capsule.get(i).operations();
    for (int op = 0; op < ops.size(); op++) {
      if (ops.isWrite(op) && ops.key(op) == key) {
        return true;
      }
    }
    return false;
  }
}
