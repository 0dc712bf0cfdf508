package io.isotail.incremental.reads;

import io.isotail.incremental.record.Operations;
import io.isotail.incremental.record.Statement;
import io.isotail.incremental.record.VersionKind;
import io.isotail.incremental.snapshot.StateReader;
import io.isotail.incremental.snapshot.StateWriter;
import java.util.HashSet;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Tables of which some versions name their writers and others do not: applications declare them
 * differently. Each write then has two versions, of which its record shows one, so that no version
 * of the table proves a writer.
 *
 * <p>It is noticed as a record arrives, before anything follows from it. Bound: {@link
 * UnseenEffects#MAX_TABLES} of each kind; beyond it a table is mixed as soon as both kinds are used
 * at all.
 */
final class MixedVersions {
  private final Set<String> naming = new HashSet<>();
  private final Set<String> others = new HashSet<>();

  private boolean tooMany;

  /** Notes which kind of versions a transaction showed of each table. */
  void note(Operations ops) {
    for (int s = 0; s < ops.statements().size(); s++) {
      Statement statement = ops.statements().get(s);
      Set<String> ofKind = statement.namesWriters() ? naming : others;
      String table = statement.table();
      if (table != null && !ofKind.contains(table) && showsVersion(ops, s)) {
        add(table, ofKind);
      }
    }
  }

  private void add(String table, Set<String> ofKind) {
    if (ofKind.size() < UnseenEffects.MAX_TABLES) {
      ofKind.add(table);
    } else {
      tooMany = true;
    }
  }

  private static boolean showsVersion(Operations ops, int statement) {
    for (int i = 0; i < ops.size(); i++) {
      if (ops.statementIndex(i) == statement && ops.versionKind(i) == VersionKind.KNOWN) {
        return true;
      }
    }
    return false;
  }

  /** Whether versions of the table are of both kinds. */
  boolean contains(@Nullable String table) {
    return !naming.isEmpty()
        && !others.isEmpty()
        && (tooMany || (table != null && naming.contains(table) && others.contains(table)));
  }

  void save(StateWriter out) {
    out.set(naming);
    out.set(others);
    out.flag(tooMany);
  }

  void load(StateReader in) {
    UnseenEffects.loadTables(in, naming);
    UnseenEffects.loadTables(in, others);
    tooMany = in.flag();
  }
}
