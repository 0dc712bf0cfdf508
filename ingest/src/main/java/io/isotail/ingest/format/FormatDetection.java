package io.isotail.ingest.format;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.JsonToken;
import java.io.CharConversionException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;

/** Tells formats apart by what a file or directory holds, never by its name alone. */
final class FormatDetection {
  private static final int HEAD_BYTES = 64;

  private FormatDetection() {}

  static HistoryFormat directory(Path path) throws IOException, HistoryFormatException {
    if (Files.isRegularFile(path.resolve(DbcopReader.FILE_NAME))) {
      return HistoryFormat.DBCOP;
    }
    if (!CobraReader.logs(path).isEmpty()) {
      return HistoryFormat.COBRA;
    }
    throw new HistoryFormatException(
        path,
        0,
        "a directory with neither",
        "%s (dbcop) or *%s (cobra)".formatted(DbcopReader.FILE_NAME, CobraReader.SUFFIX));
  }

  static HistoryFormat file(Path path) throws IOException, HistoryFormatException {
    if (isBinary(path)) {
      if (String.valueOf(path.getFileName()).endsWith(CobraReader.SUFFIX)) {
        throw new HistoryFormatException(
            path, 0, "a binary log", "the directory of a cobra history's logs");
      }
      return HistoryFormat.DBCOP;
    }
    try (LineReader lines = new LineReader(path)) {
      while (lines.next()) {
        int at = lines.skipBlank(lines.start());
        if (at < lines.end()) {
          return text(lines, at);
        }
      }
    }
    return HistoryFormat.PLUME;
  }

  /** No text holds a zero byte; a dbcop file starts with small numbers of 64 bits. */
  private static boolean isBinary(Path path) throws IOException {
    try (InputStream in = Files.newInputStream(path)) {
      for (byte b : in.readNBytes(HEAD_BYTES)) {
        if (b == 0) {
          return true;
        }
      }
    }
    return false;
  }

  private static HistoryFormat text(LineReader line, int at)
      throws IOException, HistoryFormatException {
    return switch (line.bytes()[at]) {
      case 'r', 'w' -> HistoryFormat.PLUME;
      case '[', '(', ';', '#' -> HistoryFormat.ELLE;
      case '{' -> object(line, at);
      default ->
          throw new HistoryFormatException(
              line.path(),
              line.number(),
              line.describe(at) + " at the start",
              "'r(' or 'w(' (plume), '{\"' (jsonl), '{:' or '[' (elle) or a binary file (dbcop)");
    };
  }

  /** EDN maps of operations start with a keyword; JSON ones have a type, which jsonl has not. */
  private static HistoryFormat object(LineReader line, int brace) throws IOException {
    int next = line.skipBlank(brace + 1);
    if (next == line.end() || line.bytes()[next] == ':') {
      return HistoryFormat.ELLE;
    }
    try (JsonParser parser = JsonlReader.parserOf(line)) {
      parser.nextToken();
      while (parser.nextToken() == JsonToken.FIELD_NAME) {
        if (parser.currentName().equals("type")) {
          return HistoryFormat.ELLE;
        }
        parser.nextToken();
        parser.skipChildren();
      }
    } catch (JsonProcessingException | CharConversionException e) {
      return HistoryFormat.JSONL; // Its reader says what is wrong.
    }
    return HistoryFormat.JSONL;
  }
}
