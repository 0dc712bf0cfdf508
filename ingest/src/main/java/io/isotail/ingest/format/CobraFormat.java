package io.isotail.ingest.format;

import java.io.IOException;
import java.nio.file.Path;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** A directory of binary logs, one a session, as Cobra's clients make them. */
public record CobraFormat() implements WritableFormat {
  static final String LABEL = "cobra";

  @Override
  public String label() {
    return LABEL;
  }

  @Override
  public String summary() {
    return "a directory of binary logs, one a session";
  }

  @Override
  public Set<Content> holds() {
    return Set.of();
  }

  @Override
  public @Nullable String fileMark() {
    return null;
  }

  @Override
  public String directoryMark() {
    return "*" + CobraReader.SUFFIX;
  }

  @Override
  public boolean recognises(HistoryHead head) throws IOException, HistoryFormatException {
    if (head.isBinary() && String.valueOf(head.path().getFileName()).endsWith(CobraReader.SUFFIX)) {
      throw new HistoryFormatException(
          head.path(), 0, "a binary log", "the directory of a cobra history's logs");
    }
    return head.isDirectory()
        && !CobraReader.logs(head.path()).isEmpty()
        && !JepsenStore.isRun(head.path());
  }

  @Override
  public void read(Path path, TransactionConsumer consumer)
      throws IOException, HistoryFormatException {
    HistoryHead.requireExistence(path);
    CobraReader.read(path, consumer);
  }

  /** Writes into a directory without logs, which is made if need be. */
  @Override
  public HistoryWriter create(Path path, Fidelity fidelity) throws IOException {
    return new CobraWriter(path, fidelity);
  }
}
