package io.isotail.ingest.capture;

import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Whether a statement that concerns no observed table concerns a table at all. Told by its text,
 * once for each; good enough for counts. Thread-safe, bounded.
 */
final class TableNames {
  private static final int MAX_TEXTS = 2_000;
  private static final int MAX_CHARS = 4_000;
  private static final Set<String> STATEMENTS =
      Set.of("select", "with", "insert", "update", "delete", "merge", "table");
  private static final Pattern FIRST_WORD = Pattern.compile("[\\s(]*(\\w+)");
  private static final Pattern TABLE =
      Pattern.compile(
          "\\b(from|join|into|update|table)\\s+(?:only\\s+)?"
              + "((?:\"[^\"]+\"|`[^`]+`|[\\w$]+)(?:\\s*\\.\\s*(?:\"[^\"]+\"|`[^`]+`|[\\w$]+))?)"
              + "\\s*(\\(?)");

  private final Map<String, Use> known = new ConcurrentHashMap<>();

  /** What a statement does with tables. */
  enum Use {
    /** It names none but those of the system. */
    NONE,
    /** It reads some. */
    READ,
    /** It writes some, and may read others. */
    WRITE
  }

  /** What a statement of this text does with tables. */
  Use in(String fingerprint) {
    Use use = known.get(fingerprint);
    if (use == null) {
      use = of(fingerprint);
      if (known.size() < MAX_TEXTS) {
        known.put(fingerprint, use);
      }
    }
    return use;
  }

  private static Use of(String fingerprint) {
    String text =
        fingerprint
            .substring(0, Math.min(MAX_CHARS, fingerprint.length()))
            .toLowerCase(Locale.ROOT);
    Matcher first = FIRST_WORD.matcher(text);
    if (!first.lookingAt() || !STATEMENTS.contains(first.group(1))) {
      return Use.NONE;
    }
    Matcher table = TABLE.matcher(text);
    while (table.find()) {
      String name = table.group(2).replaceAll("[\"`]", "");
      boolean function = !table.group(3).isEmpty() && !table.group(1).equals("into");
      boolean system = name.startsWith("pg_") || name.startsWith("information_schema");
      if (!function && !system) {
        return Set.of("select", "with", "table").contains(first.group(1)) ? Use.READ : Use.WRITE;
      }
    }
    return Use.NONE;
  }
}
