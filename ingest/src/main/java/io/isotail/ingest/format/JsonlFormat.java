package io.isotail.ingest.format;

import java.io.IOException;
import java.nio.file.Path;
import java.util.EnumSet;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** One transaction a line, in JSON. */
public record JsonlFormat() implements WritableFormat {
  static final String LABEL = "jsonl";

  @Override
  public String label() {
    return LABEL;
  }

  @Override
  public String summary() {
    return "JSON, a transaction a line";
  }

  @Override
  public Set<Content> holds() {
    return EnumSet.allOf(Content.class);
  }

  @Override
  public String fileMark() {
    return "'{\"'";
  }

  @Override
  public @Nullable String directoryMark() {
    return null;
  }

  @Override
  public boolean recognises(HistoryHead head) {
    return head.startsWith("{");
  }

  @Override
  public void read(Path path, TransactionConsumer consumer)
      throws IOException, HistoryFormatException {
    HistoryHead.requireFile(path);
    JsonlReader.read(path, consumer);
  }

  @Override
  public HistoryWriter create(Path path, Fidelity fidelity) throws IOException {
    return new JsonlFileWriter(path);
  }
}
