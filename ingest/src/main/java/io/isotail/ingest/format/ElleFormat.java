package io.isotail.ingest.format;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.JsonToken;
import java.io.CharConversionException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.EnumSet;
import java.util.Set;

/** Jepsen's operations, in EDN or JSON, as Elle reads them. */
public record ElleFormat() implements WritableFormat {
  static final String LABEL = "elle";

  @Override
  public String label() {
    return LABEL;
  }

  @Override
  public String summary() {
    return "Jepsen's operations, EDN or JSON";
  }

  @Override
  public Set<Content> holds() {
    return EnumSet.of(Content.UNKNOWN_OUTCOMES, Content.TIMES, Content.NAMES);
  }

  @Override
  public String fileMark() {
    return "'{:' or '['";
  }

  @Override
  public String directoryMark() {
    return JepsenStore.FILE_NAME;
  }

  @Override
  public boolean recognises(HistoryHead head) throws IOException, HistoryFormatException {
    if (head.isDirectory()) {
      return JepsenStore.isStore(head.path());
    }
    if (head.isBinary()) {
      JepsenStore.refuseBinary(head.path());
    }
    return head.startsWith("(;")
        || (head.startsWith("[#") && isEdn(head))
        || (head.startsWith("{") && isOperation(head));
  }

  /** A list of operations, or one with a tag: no heading, link or list of Markdown. */
  private static boolean isEdn(HistoryHead head) throws IOException {
    InputStream line = head.line();
    if (line.read() == '[') {
      int next = afterBlanks(line);
      return next < 0 || "{#[(;]".indexOf(next) >= 0;
    }
    int next = line.read();
    return Character.isLetter(next) || next == '_' || next == '{';
  }

  /** The next byte that is not blank, -1 at the end of the line. */
  private static int afterBlanks(InputStream line) throws IOException {
    int next = line.read();
    while (next == ' ' || next == '\t') {
      next = line.read();
    }
    return next;
  }

  @Override
  public void read(Path path, TransactionConsumer consumer)
      throws IOException, HistoryFormatException {
    HistoryHead.requireExistence(path);
    Path stored = Files.isDirectory(path) ? JepsenStore.history(path) : null;
    Path file = stored == null ? path : stored;
    HistoryHead.requireFile(file);
    ElleReader.read(file, consumer);
  }

  @Override
  public HistoryWriter create(Path path, Fidelity fidelity) throws IOException {
    return new ElleWriter(path, fidelity);
  }

  /** EDN maps of operations start with a keyword; JSON ones have a type, which jsonl has not. */
  private static boolean isOperation(HistoryHead head) throws IOException {
    InputStream line = head.line();
    line.skipNBytes(1);
    int next = afterBlanks(line);
    if (next < 0 || next == ':') {
      return true;
    }
    try (JsonParser parser = JsonlReader.parserOf(head.line())) {
      parser.nextToken();
      while (parser.nextToken() == JsonToken.FIELD_NAME) {
        if (parser.currentName().equals("type")) {
          return true;
        }
        parser.nextToken();
        parser.skipChildren();
      }
    } catch (JsonProcessingException | CharConversionException e) {
      return false; // The reader of jsonl says what is wrong.
    }
    return false;
  }
}
