package io.isotail.ingest.capture;

import io.isotail.ingest.sql.ObservedTable;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Which observed tables are meant in one session by their names alone. Guarded by the session's
 * lock.
 *
 * <p>PostgreSQL looks for a name among the session's temporary tables, then in its own catalog,
 * then along the search path, unless the path says otherwise. The server itself is asked what each
 * name means there; whatever may change the answer makes names unclear until it is asked again. A
 * name that is not clear is never taken for the observed table.
 *
 * <p>Methods that return a boolean tell whether the server should be asked again, but not each
 * time.
 */
final class UnqualifiedNames {
  /** The name finds the observed table. */
  static final char FINDS_TABLE = 'o';

  /** The name finds another table. */
  static final char FINDS_OTHER = 'x';

  /** The name finds nothing. */
  static final char FINDS_NOTHING = '-';

  /** No temporary and no system table has the name. */
  static final char IS_FIRST = 'f';

  /** A temporary or a system table has the name. */
  static final char MAY_BE_HIDDEN = 'h';

  private final Capture capture;
  private final List<ObservedTable> tables;
  private final boolean told;

  /** Tables that their names mean; null when all do, in a database that cannot be asked. */
  private @Nullable Set<ObservedTable> clear;

  /** Tables whose name finds nothing. */
  private Set<ObservedTable> missing = Set.of();

  /** Tables before which no temporary and no system table is found; null when that is unknown. */
  private @Nullable Set<ObservedTable> unshadowed;

  /** Tables that their names meant when the server was asked outside of transactions. */
  private @Nullable Set<ObservedTable> clearOutside;

  private boolean stale;
  private boolean setInside;

  /** Whether the answers are of the transaction under way, which may end what they tell. */
  private boolean answeredInside;

  private long movesSeen;

  /**
   * Names of one session.
   *
   * @param tables the observed tables
   * @param told whether the server tells what names mean; otherwise every name means its table
   */
  UnqualifiedNames(Capture capture, List<ObservedTable> tables, boolean told) {
    this.capture = capture;
    this.tables = tables;
    this.told = told;
    this.stale = told;
    this.clear = told ? Set.of() : null;
    this.movesSeen = capture.nameMoves();
  }

  /** Whether the server is to be asked. */
  boolean stale() {
    return stale;
  }

  /** Whether the name of this table alone means it. */
  boolean mean(ObservedTable table) {
    Set<ObservedTable> known = clear;
    return known == null || known.contains(table);
  }

  /** The questions are about to be asked. */
  void asking() {
    movesSeen = capture.nameMoves();
    allUnclear();
    stale = false;
  }

  /** The answer was given within a transaction: it holds until that ends. */
  void answeredInside(@Nullable String answer) {
    Set<ObservedTable> outside = clearOutside;
    answered(answer);
    clearOutside = outside;
    answeredInside = true;
  }

  /** Whether what the name of this table means now is no matter of this transaction alone. */
  boolean lasts(ObservedTable table) {
    Set<ObservedTable> outside = clearOutside;
    return !answeredInside || (outside != null && outside.contains(table));
  }

  /**
   * The answer.
   *
   * @param answer two letters for each table: what its name finds, and whether a temporary or a
   *     system table may be found before it; null if there is no table
   */
  void answered(@Nullable String answer) {
    Set<ObservedTable> found = identitySet();
    Set<ObservedTable> notFound = identitySet();
    Set<ObservedTable> first = identitySet();
    String told = answer == null ? "" : answer;
    for (int i = 0; i < tables.size() && 2 * i + 1 < told.length(); i++) {
      ObservedTable table = tables.get(i);
      switch (told.charAt(2 * i)) {
        case FINDS_TABLE -> found.add(table);
        case FINDS_NOTHING -> notFound.add(table);
        default -> {}
      }
      if (told.charAt(2 * i + 1) == IS_FIRST) {
        first.add(table);
      }
    }
    clear = found;
    clearOutside = found;
    missing = notFound;
    unshadowed = first;
  }

  /** Notices that a session of this process may have moved names since the server was asked. */
  boolean noticeMoves() {
    long moves = capture.nameMoves();
    if (!told || moves == movesSeen) {
      return false;
    }
    movesSeen = moves;
    allUnclear();
    return true;
  }

  /** The search path changed, or how it is read. */
  boolean pathUnclear() {
    clear = Set.of();
    missing = Set.of();
    stale = told;
    return true;
  }

  /** Anything may have changed, temporary tables included. */
  void allUnclear() {
    pathUnclear();
    unshadowed = null;
  }

  /** The name of this table was used. It is asked for again if there was nothing of that name. */
  boolean missed(ObservedTable table) {
    boolean again = missing.contains(table);
    stale |= again;
    return again;
  }

  /**
   * The search path is this schema alone.
   *
   * @param inTransaction whether a rollback takes it back
   */
  boolean pathIs(@Nullable String schema, boolean inTransaction) {
    noticeMoves();
    setInside |= inTransaction;
    Set<ObservedTable> candidates = told ? unshadowed : all();
    if (schema == null || candidates == null) {
      return pathUnclear();
    }
    Set<ObservedTable> found = identitySet();
    for (ObservedTable table : candidates) {
      if (table.schemaOrPublic().equals(schema)) {
        found.add(table);
      }
    }
    clear = found;
    missing = Set.of();
    stale = false;
    return false;
  }

  /** The transaction, or a part of it, was rolled back: what was set in it may be no more. */
  boolean rolledBack() {
    return forgetInside() || (setInside && pathUnclear());
  }

  /** The transaction ended: the path can no longer be taken back. */
  boolean kept() {
    setInside = false;
    return forgetInside(); // What was set for the transaction alone is no more.
  }

  private boolean forgetInside() {
    boolean forgets = answeredInside;
    answeredInside = false;
    if (forgets) {
      allUnclear();
    }
    return forgets;
  }

  private Set<ObservedTable> all() {
    Set<ObservedTable> all = identitySet();
    all.addAll(tables);
    return all;
  }

  /** A table is looked for with each statement, and to hash one takes long. */
  private static Set<ObservedTable> identitySet() {
    return Collections.newSetFromMap(new IdentityHashMap<>());
  }
}
