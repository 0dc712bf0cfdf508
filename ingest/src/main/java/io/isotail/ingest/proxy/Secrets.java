package io.isotail.ingest.proxy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The users whose login the proxy takes itself, with their SCRAM secrets: a file with lines of
 * {@code "user" "SCRAM-SHA-256$…"}, in the form that pgbouncer reads. Empty lines and lines that
 * begin with {@code ;} or {@code #} are left out. Immutable.
 */
final class Secrets {
  /** Of nobody. */
  static final Secrets NONE = new Secrets(Map.of());

  private static final Pattern LINE =
      Pattern.compile("\\s*\"((?:[^\"]|\"\")+)\"\\s+\"([^\"]*)\"(?:\\s.*)?");

  private final Map<String, ScramSecret> byUser;

  private Secrets(Map<String, ScramSecret> byUser) {
    this.byUser = Map.copyOf(byUser);
  }

  /**
   * Reads a file.
   *
   * @throws IllegalArgumentException naming the line that cannot be used, and never what it holds
   */
  static Secrets read(Path file) {
    List<String> lines;
    try {
      lines = Files.readAllLines(file);
    } catch (IOException e) {
      throw new IllegalArgumentException("%s cannot be read: %s".formatted(file, e), e);
    }
    Map<String, ScramSecret> found = new HashMap<>();
    for (int i = 0; i < lines.size(); i++) {
      String line = lines.get(i).strip();
      if (line.isEmpty() || line.startsWith(";") || line.startsWith("#")) {
        continue;
      }
      Matcher matcher = LINE.matcher(line);
      ScramSecret secret = matcher.matches() ? ScramSecret.parse(matcher.group(2)) : null;
      if (secret == null) {
        throw new IllegalArgumentException(
            "%s:%d: expected \"user\" \"SCRAM-SHA-256$…\", as pg_authid has it"
                .formatted(file, i + 1));
      }
      found.put(matcher.group(1).replace("\"\"", "\""), secret);
    }
    return new Secrets(found);
  }

  /** The secret of a user; null if the proxy has none. */
  @Nullable ScramSecret of(@Nullable String user) {
    return user == null ? null : byUser.get(user);
  }
}
