package io.isotail.ingest.jdbc;

import io.isotail.ingest.capture.SessionCapture;
import io.isotail.ingest.sql.Placeholders;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * How the texts are sent that a connection prepares again and again. Safe for any thread.
 *
 * <p>Bound: {@value #MOST_TEXTS} texts of at most {@value #MOST_CHARS} characters. When there are
 * more, all are forgotten. They are forgotten, too, when what analyses depend on has changed.
 */
final class PreparedTexts {
  private static final int MOST_TEXTS = 256;
  private static final int MOST_CHARS = 4_096;

  private final SessionCapture session;
  private final Map<String, Sending> known = new HashMap<>();
  private @Nullable Object dependsOn;

  PreparedTexts(SessionCapture session) {
    this.session = session;
  }

  /** How a text is sent as it is, for which no keys are asked. */
  synchronized Sending asItIs(String text) {
    session.refreshBeforeText(text);
    Object latest = session.analysesDependOn();
    if (latest != dependsOn || known.size() > MOST_TEXTS) {
      known.clear();
      dependsOn = latest;
    }
    Sending sending = known.get(text);
    if (sending == null) {
      sending = Sending.asItIs(session, text, Placeholders.QUESTION_MARKS, null);
      if (text.length() <= MOST_CHARS) {
        known.put(text, sending);
      }
    }
    return sending;
  }
}
