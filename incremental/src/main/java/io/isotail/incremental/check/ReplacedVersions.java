package io.isotail.incremental.check;

import io.isotail.incremental.config.CheckerConfig;
import io.isotail.incremental.reads.VersionTable;
import io.isotail.incremental.reads.WriterEvidence;
import io.isotail.incremental.record.Operations;
import io.isotail.incremental.record.Statement;
import io.isotail.incremental.record.VersionKind;
import io.isotail.incremental.window.Counters;
import io.isotail.incremental.window.Transaction;
import io.isotail.incremental.window.Version;
import io.isotail.incremental.window.Window;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Finds whose version a transaction replaced, where its operations tell which version that was: a
 * fact about the order of versions, whoever comes first in the stream. Nobody waits for it.
 *
 * <p>Of several writes of a key the first one counts: what the others replaced is their own. It
 * says something only if at most one committed transaction can have written the version, if that
 * one was captured, and if it wrote the key for good with that version: who was not captured may be
 * the transaction itself, by a trigger. Where several transactions replaced a version, or several
 * wrote it, none of that is believed.
 *
 * <p>Bounds: an entry for each such write of a transaction in the window. Nothing is looked up, and
 * no memory taken, for others.
 */
public final class ReplacedVersions {
  private final CheckerConfig config;
  private final VersionTable versions;
  private final WriterEvidence evidence;
  private final Counters counters;
  private final Map<Replaced, Claims> claims = new HashMap<>();

  /** A version of a key. */
  private record Replaced(long key, long version) implements Comparable<Replaced> {
    @Override
    public int compareTo(Replaced other) {
      int byKey = Long.compare(key, other.key);
      return byKey == 0 ? Long.compare(version, other.version) : byKey;
    }
  }

  /** Who claims to have replaced a version. */
  private static final class Claims {
    /** The only one; null if there are several, or none of them is believed. */
    @Nullable Transaction only;

    /** How many of them the window holds. */
    int inWindow;
  }

  /** Told of a transaction that is not believed any more to have replaced a version of a key. */
  @FunctionalInterface
  interface Doubted {
    /** Takes it. */
    void of(Transaction t, long key);
  }

  /** Follows what {@code evidence} says of versions. */
  public ReplacedVersions(
      CheckerConfig config, VersionTable versions, WriterEvidence evidence, Counters counters) {
    this.config = config;
    this.versions = versions;
    this.evidence = evidence;
    this.counters = counters;
  }

  /** A committed transaction is delivered. */
  void delivered(Transaction t, Doubted doubted) {
    if (!claims.isEmpty()) {
      matchWrites(t, doubted);
    }
    if (t.operations.anyReplaced()) {
      for (int i = 0; i < t.writeCount(); i++) {
        int write = t.firstWrite(t.writeKey(i));
        if (counts(t, write)) {
          claim(t, write, doubted);
        }
      }
    }
  }

  /** Whether somebody of the window replaced a version, whoever wrote it. */
  boolean isReplaced(long key, long version) {
    return claims.containsKey(new Replaced(key, version));
  }

  /** Whether what a write replaced may say something. */
  private boolean counts(Transaction t, int write) {
    Operations ops = t.operations;
    Statement statement = write < 0 ? Statement.NONE : ops.statement(write);
    return write >= 0
        && ops.replaces(write)
        && config.isCommittedOnce(statement)
        && evidence.againstAny(statement.table()) == null;
  }

  private void claim(Transaction t, int write, Doubted doubted) {
    long key = t.operations.key(write);
    Replaced replaced = new Replaced(key, t.operations.replaced(write));
    Claims of = claims.get(replaced);
    if (of != null) {
      of.inWindow++;
      doubt(of, key, doubted);
      t.setReplaced(key, Transaction.FORGOTTEN);
      return;
    }
    of = new Claims();
    of.inWindow = 1;
    of.only = t;
    claims.put(replaced, of);
    Version version = versions.find(key, replaced.version);
    Transaction writer = null;
    for (int i = 0; version != null && i < version.size(); i++) {
      Version.Candidate candidate = version.candidate(i);
      if (candidate.writer.committed && !candidate.undone && isThere(candidate.writer)) {
        if (writer != null) {
          doubt(of, key, doubted);
          return;
        }
        writer = candidate.writer;
      }
    }
    if (writer != null && writer != t && !writer.uncaptured() && installs(writer, replaced)) {
      t.setReplaced(key, writer);
    }
  }

  private static boolean isThere(Transaction writer) {
    return writer.state == Transaction.State.DELIVERED
        || writer.state == Transaction.State.TRUNCATED;
  }

  /** Whether a version is the last one of its key by a transaction. */
  private static boolean installs(Transaction writer, Replaced version) {
    int i = writer.writeIndex(version.key);
    return i >= 0 && installs(writer, i, version.version);
  }

  private static boolean installs(Transaction writer, int i, long version) {
    int last = writer.finalWrite(i);
    return writer.operations.versionKind(last) == VersionKind.KNOWN
        && writer.operations.version(last) == version;
  }

  /** Who replaced a version of this one may have come before it. */
  private void matchWrites(Transaction writer, Doubted doubted) {
    for (int i = 0; i < writer.writeCount(); i++) {
      int last = writer.finalWrite(i);
      long key = writer.writeKey(i);
      Claims of =
          writer.operations.installs(last)
              ? claims.get(new Replaced(key, writer.operations.version(last)))
              : null;
      Transaction overwriter = of == null ? null : of.only;
      if (of == null
          || overwriter == null
          || overwriter == writer
          || !counts(overwriter, overwriter.firstWrite(key))) {
        continue;
      }
      if (overwriter.replacedOf(key) != null) {
        doubt(of, key, doubted);
      } else {
        overwriter.setReplaced(key, writer);
        writer.setReplacedBy(key, overwriter);
      }
    }
  }

  /** Nothing of what is claimed is believed from now on. */
  private void doubt(Claims of, long key, Doubted doubted) {
    Transaction only = of.only;
    if (only != null) {
      of.only = null;
      counters.replacedTwice++;
      Transaction writer = only.replacedOf(key);
      if (writer != null) {
        writer.setReplacedBy(key, null);
      }
      only.setReplaced(key, Transaction.FORGOTTEN);
      doubted.of(only, key);
    }
  }

  /** A transaction is about to leave the window. */
  void leaves(Transaction t) {
    if (claims.isEmpty() || !t.operations.anyReplaced()) {
      return;
    }
    for (int i = 0; i < t.writeCount(); i++) {
      long key = t.writeKey(i);
      int write = t.firstWrite(key);
      Replaced replaced = new Replaced(key, t.operations.replaced(write));
      Claims of = t.operations.replaces(write) ? claims.get(replaced) : null;
      if (of == null || (of.only != t && t.replaced(i) != Transaction.FORGOTTEN)) {
        continue;
      }
      Transaction writer = t.replaced(i);
      if (writer != null && writer != Transaction.FORGOTTEN) {
        writer.setReplacedBy(key, null);
      }
      of.inWindow--;
      if (of.inWindow == 0) {
        claims.remove(replaced);
      }
    }
  }

  /** Finds everything again in a window that was loaded. */
  void loaded(Window window) {
    for (Transaction t : window) {
      for (int i = 0; t.committed && t.operations.anyReplaced() && i < t.writeCount(); i++) {
        int write = t.firstWrite(t.writeKey(i));
        if (counts(t, write)) {
          load(t, i, new Replaced(t.writeKey(i), t.operations.replaced(write)));
        }
      }
    }
  }

  private void load(Transaction t, int i, Replaced replaced) {
    Claims of = claims.computeIfAbsent(replaced, r -> new Claims());
    of.inWindow++;
    Transaction writer = t.replaced(i);
    if (writer != Transaction.FORGOTTEN) {
      of.only = t;
    }
    if (writer != null && writer.deliveredAt > t.deliveredAt) {
      writer.setReplacedBy(replaced.key, t);
    }
  }
}
