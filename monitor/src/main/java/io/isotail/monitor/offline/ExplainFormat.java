package io.isotail.monitor.offline;

import java.util.Arrays;
import java.util.Iterator;
import java.util.Locale;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** What {@code explain} writes. */
enum ExplainFormat {
  TEXT,
  DOT,
  SVG;

  private String label() {
    return name().toLowerCase(Locale.ROOT);
  }

  /** The words that the option takes. */
  static final class Names implements Iterable<String> {
    @Override
    public Iterator<String> iterator() {
      return Arrays.stream(values()).map(ExplainFormat::label).iterator();
    }
  }

  /** From a word. */
  static final class Converter implements ITypeConverter<ExplainFormat> {
    @Override
    public ExplainFormat convert(@Nullable String word) {
      return Arrays.stream(values())
          .filter(each -> each.label().equals(word))
          .findFirst()
          .orElseThrow(
              () ->
                  new TypeConversionException(
                      "found '%s'; expected text, dot or svg".formatted(word)));
    }
  }
}
