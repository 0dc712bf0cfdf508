package io.isotail.ingest.format;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.stream.Collectors;

/** The formats of history files. */
public enum HistoryFormat {
  /** One operation a line, as Plume, PolySI and AWDIT read it. */
  PLUME("plume"),
  /** A binary file, as dbcop makes it, or the directory that holds it. */
  DBCOP("dbcop"),
  /** A directory of binary logs, one a session, as Cobra's clients make them. */
  COBRA("cobra"),
  /** Jepsen's operations, in EDN or JSON, as Elle reads them. */
  ELLE("elle"),
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
        "format '%s' is unknown; expected one of %s".formatted(label, labels()));
  }

  /** The names of all formats, for people. */
  public static String labels() {
    return Arrays.stream(values()).map(HistoryFormat::label).collect(Collectors.joining(", "));
  }

  /**
   * The format of a file or directory, told by what it holds; an empty file is any.
   *
   * @throws HistoryFormatException if it is none of them
   */
  public static HistoryFormat detect(Path path) throws IOException, HistoryFormatException {
    requireExistence(path);
    if (Files.isDirectory(path)) {
      return FormatDetection.directory(path);
    }
    requireFile(path);
    return FormatDetection.file(path);
  }

  /**
   * Reads a history from its beginning to its end, in memory that does not grow with its length but
   * for what the package's description names.
   *
   * @param path a file; for {@link #COBRA} a directory, for {@link #DBCOP} either
   * @throws HistoryFormatException where the file departs from the format; transactions before that
   *     place may have been handed over by then
   */
  public void read(Path path, TransactionConsumer consumer)
      throws IOException, HistoryFormatException {
    requireExistence(path);
    if (this != COBRA && !(this == DBCOP && Files.isDirectory(path))) {
      requireFile(path);
    }
    switch (this) {
      case PLUME -> PlumeReader.read(path, consumer);
      case DBCOP -> DbcopReader.read(path, consumer);
      case COBRA -> CobraReader.read(path, consumer);
      case ELLE -> ElleReader.read(path, consumer);
      case JSONL -> JsonlReader.read(path, consumer);
    }
  }

  /** A writer of a new file that refuses whatever the format has no place for. */
  public HistoryWriter create(Path path) throws IOException {
    return create(path, Fidelity.EXACT);
  }

  /**
   * A writer of a new file, which replaces one that is there; for {@link #COBRA} of a directory
   * without logs, made if need be; {@link #DBCOP} writes into a directory that is there.
   *
   * @param fidelity what becomes of what the format has no place for
   */
  public HistoryWriter create(Path path, Fidelity fidelity) throws IOException {
    return switch (this) {
      case PLUME -> new PlumeWriter(path, fidelity);
      case DBCOP -> new DbcopWriter(path, fidelity);
      case COBRA -> new CobraWriter(path, fidelity);
      case ELLE -> new ElleWriter(path, fidelity);
      case JSONL -> new JsonlFileWriter(path);
    };
  }

  private static void requireExistence(Path path) throws NoSuchFileException {
    if (!Files.exists(path)) {
      throw new NoSuchFileException(path.toString());
    }
  }

  private static void requireFile(Path path) throws HistoryFormatException {
    if (!Files.isRegularFile(path)) {
      throw new HistoryFormatException(
          path, 0, Files.isDirectory(path) ? "a directory" : "no regular file", "a history file");
    }
  }
}
