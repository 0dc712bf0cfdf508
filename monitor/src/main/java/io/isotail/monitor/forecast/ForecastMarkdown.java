package io.isotail.monitor.forecast;

import io.isotail.incremental.cause.Remedy;
import io.isotail.incremental.forecast.Forecast;
import java.util.Locale;

/** Forecasts as Markdown, for a comment on a change. */
public final class ForecastMarkdown {
  private ForecastMarkdown() {}

  /** The whole text. */
  public static String of(Foreseen foreseen) {
    StringBuilder text = new StringBuilder();
    int count = foreseen.forecasts().size();
    text.append(
        count == 0
            ? "**isotail: no forecast.**\n"
            : String.format(
                Locale.ROOT,
                "**isotail: %d forecast%s.** None of it has happened; it can.%n",
                count,
                count == 1 ? "" : "s"));
    text.append('\n').append(ForecastWords.from(foreseen));
    if (foreseen.known() > 0) {
      text.append(" %d more were there before.".formatted(foreseen.known()));
    }
    text.append('\n');
    ForecastWords.leftOut(foreseen).forEach(each -> text.append("\n- ").append(plain(each)));
    for (Forecast forecast : foreseen.forecasts()) {
      tell(text, forecast, foreseen);
    }
    return text.toString().stripTrailing() + "\n";
  }

  private static void tell(StringBuilder text, Forecast forecast, Foreseen foreseen) {
    text.append("\n\n### ").append(plain(ForecastWords.title(forecast))).append("\n\n");
    text.append(plain(ForecastWords.who(forecast))).append(". *");
    text.append(forecast.certainty().label()).append("*, `").append(forecast.id()).append("`; ");
    text.append(plain(ForecastWords.ran(forecast, foreseen))).append(".\n");
    text.append("\n```text\n")
        .append(CourseText.of(forecast).replace("```", "'''"))
        .append("```\n");
    ForecastWords.caveats(forecast)
        .forEach(caveat -> text.append('\n').append(caveat).append('\n'));
    String others = ForecastWords.others(forecast);
    if (!others.isEmpty()) {
      text.append('\n').append(plain(others)).append(".\n");
    }
    text.append('\n');
    for (Remedy remedy : ForecastWords.remedies(forecast)) {
      text.append("- ").append(plain(remedy.what()));
      text.append(" Costs: ").append(plain(remedy.cost())).append(".\n");
    }
  }

  /** Words in which nothing is markup. */
  private static String plain(String words) {
    return words.replaceAll("([\\\\`*_<>\\[\\]|#])", "\\\\$1").replaceAll("\\R", " ");
  }
}
