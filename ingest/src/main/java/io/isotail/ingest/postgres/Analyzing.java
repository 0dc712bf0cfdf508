package io.isotail.ingest.postgres;

import io.isotail.ingest.capture.SessionCapture;
import io.isotail.ingest.sql.AnalyzedSql;
import io.isotail.ingest.sql.CommentedSql;
import io.isotail.ingest.sql.Placeholders;
import org.jspecify.annotations.Nullable;

/**
 * The analysis of a text ahead of its message. If it may take long it is done on a thread that may
 * wait. What it found holds as long as what analyses depend on has not changed.
 */
final class Analyzing implements Runnable {
  private final SessionCapture session;
  private final CommentedSql told;
  private final Placeholders placeholders;
  private volatile @Nullable Found found;

  private record Found(AnalyzedSql sql, Object dependsOn) {}

  /** An analysis that is to be run. */
  Analyzing(SessionCapture session, CommentedSql told, Placeholders placeholders) {
    this.session = session;
    this.told = told;
    this.placeholders = placeholders;
  }

  /** The analysis of a text that does not take long; null if it may. */
  static @Nullable Analyzing soon(
      SessionCapture session, CommentedSql told, Placeholders placeholders) {
    Object dependsOn = session.analysesDependOn();
    AnalyzedSql sql = session.analyzeSoon(told, placeholders);
    if (sql == null) {
      return null;
    }
    Analyzing done = new Analyzing(session, told, placeholders);
    done.found = new Found(sql, dependsOn);
    return done;
  }

  @Override
  public void run() {
    Object dependsOn = session.analysesDependOn();
    found = new Found(session.analyze(told, placeholders), dependsOn);
  }

  /** What was found, if it was this text and still holds; else null. */
  @Nullable AnalyzedSql found(CommentedSql text, Placeholders as) {
    Found known = found;
    return known != null
            && known.dependsOn() == session.analysesDependOn()
            && as == placeholders
            && text.statement().equals(told.statement())
        ? known.sql()
        : null;
  }
}
