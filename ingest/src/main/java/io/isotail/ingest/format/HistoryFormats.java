package io.isotail.ingest.format;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.ServiceLoader;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** The formats that are registered as services, in their order. Thread-safe. */
public final class HistoryFormats {
  private static final List<HistoryFormat> ALL =
      ServiceLoader.load(HistoryFormat.class, HistoryFormats.class.getClassLoader()).stream()
          .map(ServiceLoader.Provider::get)
          .toList();

  private HistoryFormats() {}

  /** All formats. */
  public static List<HistoryFormat> all() {
    return ALL;
  }

  /** The formats that can be written. */
  public static List<WritableFormat> writable() {
    return ALL.stream()
        .filter(WritableFormat.class::isInstance)
        .map(WritableFormat.class::cast)
        .toList();
  }

  /** The formats that can be written and hold this. */
  public static List<WritableFormat> holding(Content content) {
    return writable().stream().filter(format -> format.holds().contains(content)).toList();
  }

  /**
   * The format of that name.
   *
   * @throws IllegalArgumentException naming the formats that can be read
   */
  public static HistoryFormat ofLabel(String label) {
    return ALL.stream()
        .filter(format -> format.label().equals(label))
        .findFirst()
        .orElseThrow(
            () ->
                new IllegalArgumentException(
                    "format '%s' is unknown; expected one of %s".formatted(label, labels())));
  }

  /**
   * The format of that name, to write it.
   *
   * @throws IllegalArgumentException naming the formats that can be written
   */
  public static WritableFormat writableOfLabel(String label) {
    return writable().stream()
        .filter(format -> format.label().equals(label))
        .findFirst()
        .orElseThrow(
            () ->
                new IllegalArgumentException(
                    "format '%s' %s; expected one of %s"
                        .formatted(
                            label,
                            ALL.stream().anyMatch(format -> format.label().equals(label))
                                ? "can only be read"
                                : "is unknown",
                            labels(writable()))));
  }

  /** The names of all formats, for people. */
  public static String labels() {
    return labels(ALL);
  }

  private static String labels(List<? extends HistoryFormat> formats) {
    return formats.stream().map(HistoryFormat::label).collect(Collectors.joining(", "));
  }

  /**
   * The format of a file or directory, told by what it holds; an empty file is any.
   *
   * @throws HistoryFormatException if it is none of them
   */
  public static HistoryFormat detect(Path path) throws IOException, HistoryFormatException {
    try (HistoryHead head = HistoryHead.of(path)) {
      HistoryFormat found = null;
      for (HistoryFormat format : ALL) {
        // Each is asked: a later one may know that this is a part of its histories.
        if (format.recognises(head) && found == null) {
          found = format;
        }
      }
      if (found != null) {
        return found;
      }
      throw head.unknown(marks(head.isDirectory()));
    }
  }

  /** How one tells each format, as in {@code 'r(' or 'w(' (plume)}. */
  private static String marks(boolean directory) {
    List<String> marks =
        ALL.stream()
            .filter(format -> mark(format, directory) != null)
            .map(format -> "%s (%s)".formatted(mark(format, directory), format.label()))
            .toList();
    int last = marks.size() - 1;
    return last < 1
        ? String.join("", marks)
        : String.join(", ", marks.subList(0, last)) + " or " + marks.get(last);
  }

  private static @Nullable String mark(HistoryFormat format, boolean directory) {
    return directory ? format.directoryMark() : format.fileMark();
  }
}
