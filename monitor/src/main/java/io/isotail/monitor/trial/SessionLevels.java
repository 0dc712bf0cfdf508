package io.isotail.monitor.trial;

import io.isotail.incremental.level.IsolationLevel;
import io.isotail.ingest.jdbc.IsotailDriver;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * The levels that the sessions of a trial run at, each in its turn, and what each is held to.
 *
 * @param all one or more
 */
public record SessionLevels(List<Level> all) {

  /**
   * One of them.
   *
   * @param isolation what sessions ask the database for
   * @param promise what it is held to
   * @param ranAt its name in records; null where the database does not tell one
   */
  public record Level(DatabaseIsolation isolation, IsolationLevel promise, @Nullable String ranAt) {

    /**
     * A level with the name that records of it have.
     *
     * @param c a connection of the database's own driver, as it was opened
     */
    public static Level of(Connection c, DatabaseIsolation asked, IsolationLevel promise)
        throws SQLException {
      int level = asked == DatabaseIsolation.DEFAULT ? c.getTransactionIsolation() : asked.jdbc();
      return new Level(asked, promise, IsotailDriver.levelName(c, level));
    }

    /** Its name in records of those who tell what they run at. */
    String told() {
      return ranAt == null ? promise.label() : ranAt;
    }
  }

  /**
   * Checks that what is held to different promises can be told apart.
   *
   * @throws IllegalArgumentException if it can't
   */
  public SessionLevels {
    all = List.copyOf(all);
    if (all.isEmpty()) {
      throw new IllegalArgumentException("no isolation level; expected one or more");
    }
    Set<String> names = new HashSet<>();
    boolean mixed = all.stream().map(Level::promise).distinct().count() > 1;
    for (Level level : all) {
      if (mixed && (level.ranAt() == null || !names.add(level.ranAt()))) {
        throw new IllegalArgumentException(
            "%s is held to %s, and cannot be told from the other levels; expected one promise for all"
                .formatted(level.isolation().label(), level.promise().label()));
      }
    }
  }

  /** A single level. */
  public static SessionLevels of(DatabaseIsolation isolation, IsolationLevel promise) {
    return new SessionLevels(List.of(new Level(isolation, promise, null)));
  }

  /** Whether not all are held to the same. */
  public boolean mixed() {
    return strongest() != weakest();
  }

  /** The strongest promise. */
  public IsolationLevel strongest() {
    return all.stream().map(Level::promise).max(Comparator.naturalOrder()).orElseThrow();
  }

  /** What every session is promised. */
  public IsolationLevel weakest() {
    return all.stream().map(Level::promise).min(Comparator.naturalOrder()).orElseThrow();
  }

  /** Whether sessions ask for no level. */
  boolean areDefault() {
    return all.stream().allMatch(level -> level.isolation() == DatabaseIsolation.DEFAULT);
  }

  /** What sessions ask for, for people. */
  public String isolations() {
    return joined(level -> level.isolation().label());
  }

  /** What they are held to, in the same order; once if it is the same for all. */
  public String promises() {
    return mixed() ? joined(level -> level.promise().label()) : weakest().label();
  }

  private String joined(Function<Level, String> name) {
    return all.stream().map(name).collect(Collectors.joining(","));
  }
}
