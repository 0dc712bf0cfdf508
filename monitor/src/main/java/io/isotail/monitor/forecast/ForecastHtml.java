package io.isotail.monitor.forecast;

import io.isotail.incremental.cause.Remedy;
import io.isotail.incremental.forecast.Certainty;
import io.isotail.incremental.forecast.Forecast;
import io.isotail.monitor.render.Markup;
import java.util.Collection;
import java.util.Locale;

/** Forecasts as sections of an HTML page, which brings the styles. */
public final class ForecastHtml {
  private ForecastHtml() {}

  /**
   * The sections.
   *
   * @param untold what else is to be said of the trials, each a sentence
   */
  public static String of(Foreseen foreseen, Collection<String> untold) {
    StringBuilder html = new StringBuilder();
    int count = foreseen.forecasts().size();
    add(html, "<h2>What could happen: %d forecast%s</h2>", count, count == 1 ? "" : "s");
    add(
        html,
        "<p class=\"faint\">None of it has happened; it can. %s</p>",
        Markup.escaped(ForecastWords.from(foreseen)));
    foreseen.forecasts().forEach(forecast -> tell(html, forecast, foreseen));
    list(html, ForecastWords.leftOut(foreseen));
    list(html, untold);
    return html.toString();
  }

  private static void tell(StringBuilder html, Forecast forecast, Foreseen foreseen) {
    boolean proved = forecast.certainty() == Certainty.PROVED;
    add(
        html,
        "<section><h3 class=\"%s\">%s</h3>",
        proved ? "bad" : "doubt",
        Markup.escaped(ForecastWords.title(forecast)));
    add(
        html,
        "<p>%s. <strong>%s</strong></p>",
        Markup.escaped(ForecastWords.who(forecast)),
        Markup.escaped(forecast.certainty().label()));
    add(
        html,
        "<p class=\"faint\">%s; %s</p>",
        Markup.escaped(forecast.id()),
        Markup.escaped(ForecastWords.ran(forecast, foreseen)));
    add(html, "<pre>%s</pre>", escapedLines(CourseText.of(forecast)));
    ForecastWords.caveats(forecast)
        .forEach(caveat -> add(html, "<p>%s</p>", Markup.escaped(caveat)));
    String others = ForecastWords.others(forecast);
    if (!others.isEmpty()) {
      add(html, "<p>%s.</p>", Markup.escaped(others));
    }
    html.append("<ul>");
    for (Remedy remedy : ForecastWords.remedies(forecast)) {
      add(
          html,
          "<li>%s <span class=\"faint\">Costs: %s.</span></li>",
          Markup.escaped(remedy.what()),
          Markup.escaped(remedy.cost()));
    }
    html.append("</ul></section>\n");
  }

  private static void list(StringBuilder html, Collection<String> sentences) {
    if (sentences.isEmpty()) {
      return;
    }
    html.append("<ul class=\"faint\">");
    sentences.forEach(each -> add(html, "<li>%s</li>", Markup.escaped(each)));
    html.append("</ul>\n");
  }

  private static String escapedLines(String text) {
    StringBuilder lines = new StringBuilder();
    text.lines().forEach(line -> lines.append(Markup.escaped(line)).append('\n'));
    return lines.toString();
  }

  private static void add(StringBuilder html, String format, Object... values) {
    html.append(String.format(Locale.ROOT, format, values)).append('\n');
  }
}
