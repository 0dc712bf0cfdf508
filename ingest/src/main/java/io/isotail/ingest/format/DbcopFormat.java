package io.isotail.ingest.format;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Set;

/** A binary file, as dbcop makes it, or the directory that holds it. */
public record DbcopFormat() implements WritableFormat {
  static final String LABEL = "dbcop";

  @Override
  public String label() {
    return LABEL;
  }

  @Override
  public String summary() {
    return "one binary file, or the directory of history.bincode";
  }

  @Override
  public Set<Content> holds() {
    return Set.of();
  }

  @Override
  public String fileMark() {
    return "a binary file";
  }

  @Override
  public String directoryMark() {
    return DbcopReader.FILE_NAME;
  }

  @Override
  public boolean recognises(HistoryHead head) {
    return head.isDirectory()
        ? Files.isRegularFile(head.path().resolve(DbcopReader.FILE_NAME))
        : head.isBinary();
  }

  @Override
  public void read(Path path, TransactionConsumer consumer)
      throws IOException, HistoryFormatException {
    HistoryHead.requireExistence(path);
    if (!Files.isDirectory(path)) {
      HistoryHead.requireFile(path);
    }
    DbcopReader.read(path, consumer);
  }

  /** Writes into a directory that is there. */
  @Override
  public HistoryWriter create(Path path, Fidelity fidelity) throws IOException {
    return new DbcopWriter(path, fidelity);
  }
}
