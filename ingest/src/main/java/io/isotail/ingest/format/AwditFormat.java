package io.isotail.ingest.format;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Path;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** The text in which people write tests for AWDIT, which calls it {@code test}. Only read. */
public record AwditFormat() implements HistoryFormat {
  static final String LABEL = "awdit";

  @Override
  public String label() {
    return LABEL;
  }

  @Override
  public String summary() {
    return "AWDIT's test format: text, an operation a line, - and = between";
  }

  @Override
  public Set<Content> holds() {
    return Set.of();
  }

  @Override
  public String fileMark() {
    return "'r ' or 'w '";
  }

  @Override
  public @Nullable String directoryMark() {
    return null;
  }

  @Override
  public boolean recognises(HistoryHead head) throws IOException {
    return isFirstLine(head);
  }

  /** An operation whose letter a blank follows, but no bracket as in plume; or a separator. */
  static boolean isFirstLine(HistoryHead head) throws IOException {
    InputStream line = head.line();
    int first = line.read();
    int next = line.read();
    if (first == '-' || first == '=') {
      while (next == first) {
        next = line.read();
      }
      return skipBlank(line, next) < 0;
    }
    return (first == 'r' || first == 'w')
        && (next < 0 || AwditLine.isBlank(next))
        && skipBlank(line, next) != '(';
  }

  private static int skipBlank(InputStream line, int from) throws IOException {
    int next = from;
    while (AwditLine.isBlank(next)) {
      next = line.read();
    }
    return next;
  }

  @Override
  public void read(Path path, TransactionConsumer consumer)
      throws IOException, HistoryFormatException {
    HistoryHead.requireFile(path);
    AwditReader.read(path, consumer);
  }
}
