package io.isotail.ingest.format;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.stream.Collectors;

/** The formats of history files that can be read. */
public enum HistoryFormat {
  /** One operation a line, as Plume, PolySI and AWDIT read it. */
  PLUME("plume"),
  /** One transaction a line, in JSON. */
  JSONL("jsonl");

  private final String label;

  HistoryFormat(String label) {
    this.label = label;
  }

  /** The format's name in every interface. */
  public String label() {
    return label;
  }

  /**
   * The format of that name.
   *
   * @throws IllegalArgumentException naming the formats that can be read
   */
  public static HistoryFormat ofLabel(String label) {
    for (HistoryFormat format : values()) {
      if (format.label.equals(label)) {
        return format;
      }
    }
    throw new IllegalArgumentException(
        "format '%s' cannot be read; expected one of %s"
            .formatted(
                label,
                Arrays.stream(values())
                    .map(HistoryFormat::label)
                    .collect(Collectors.joining(", "))));
  }

  /**
   * The format of a file, told by its first character that is not blank; an empty file is any.
   *
   * @throws HistoryFormatException if it is none of them, or no regular file
   */
  public static HistoryFormat detect(Path path) throws IOException, HistoryFormatException {
    requireFile(path);
    try (LineReader lines = new LineReader(path)) {
      while (lines.next()) {
        int at = lines.skipBlank(0);
        if (at == lines.length()) {
          continue;
        }
        return switch (lines.bytes()[at]) {
          case '{' -> JSONL;
          case 'r', 'w' -> PLUME;
          default ->
              throw new HistoryFormatException(
                  path,
                  lines.number(),
                  lines.describe(at) + " at the start",
                  "'r(' or 'w(' (plume) or '{' (jsonl)");
        };
      }
    }
    return PLUME;
  }

  /**
   * Reads a file from its beginning to its end.
   *
   * @throws HistoryFormatException where the file departs from the format; the transactions before
   *     that line have been handed over by then
   */
  public void read(Path path, TransactionConsumer consumer)
      throws IOException, HistoryFormatException {
    requireFile(path);
    switch (this) {
      case PLUME -> PlumeReader.read(path, consumer);
      case JSONL -> JsonlReader.read(path, consumer);
    }
  }

  /** A writer of a new file that refuses whatever the format has no place for. */
  public HistoryWriter create(Path path) throws IOException {
    return create(path, Fidelity.EXACT);
  }

  /**
   * A writer of a new file; one that is there is replaced.
   *
   * @param fidelity what becomes of what the format has no place for
   */
  public HistoryWriter create(Path path, Fidelity fidelity) throws IOException {
    return switch (this) {
      case PLUME -> new PlumeWriter(path, fidelity);
      case JSONL -> new JsonlFileWriter(path);
    };
  }

  private static void requireFile(Path path) throws IOException, HistoryFormatException {
    if (!Files.exists(path)) {
      throw new NoSuchFileException(path.toString());
    }
    if (!Files.isRegularFile(path)) {
      throw new HistoryFormatException(
          path, 0, Files.isDirectory(path) ? "a directory" : "no regular file", "a history file");
    }
  }
}
