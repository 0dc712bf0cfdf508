package io.isotail.ingest.format;

import java.io.IOException;
import java.nio.file.Path;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** One operation a line, as Plume, PolySI and AWDIT read it. */
public record PlumeFormat() implements WritableFormat {
  static final String LABEL = "plume";

  @Override
  public String label() {
    return LABEL;
  }

  @Override
  public String summary() {
    return "text, an operation a line; also of PolySI and AWDIT";
  }

  @Override
  public Set<Content> holds() {
    return Set.of();
  }

  @Override
  public String fileMark() {
    return "'r(' or 'w('";
  }

  @Override
  public @Nullable String directoryMark() {
    return null;
  }

  @Override
  public boolean recognises(HistoryHead head) throws IOException {
    return head.isEmpty() || (head.startsWith("rw") && !AwditFormat.isFirstLine(head));
  }

  @Override
  public void read(Path path, TransactionConsumer consumer)
      throws IOException, HistoryFormatException {
    HistoryHead.requireFile(path);
    PlumeReader.read(path, consumer);
  }

  @Override
  public HistoryWriter create(Path path, Fidelity fidelity) throws IOException {
    return new PlumeWriter(path, fidelity);
  }
}
