package io.isotail.monitor.forecast;

import io.isotail.incremental.cause.Remedy;
import io.isotail.incremental.forecast.Forecast;
import io.isotail.monitor.terminal.Paint;
import io.isotail.monitor.terminal.Printable;

/** Forecasts as text. */
public final class ForecastText {
  private final StringBuilder text = new StringBuilder();
  private final Paint paint;

  private ForecastText(Paint paint) {
    this.paint = paint;
  }

  /** The whole text, with an end of line. */
  public static String of(Foreseen foreseen, Paint paint) {
    return new ForecastText(paint).render(foreseen);
  }

  private String render(Foreseen foreseen) {
    int count = foreseen.forecasts().size();
    line(
        paint.bold(
            count == 0
                ? "No forecast%s.".formatted(foreseen.known() == 0 ? "" : " that the base has not")
                : "%d forecast%s. None of it has happened; it can."
                    .formatted(count, count == 1 ? "" : "s")));
    if (foreseen.known() > 0) {
      line("%d that the base has too.".formatted(foreseen.known()));
    }
    line(ForecastWords.from(foreseen));
    ForecastWords.leftOut(foreseen).forEach(this::line);
    int number = 0;
    for (Forecast forecast : foreseen.forecasts()) {
      text.append(System.lineSeparator());
      forecast(++number, forecast, foreseen);
    }
    return text.toString();
  }

  private void forecast(int number, Forecast forecast, Foreseen foreseen) {
    line(paint.bold("%d. %s".formatted(number, ForecastWords.title(forecast))));
    line("   " + ForecastWords.who(forecast));
    line("   %s, %s".formatted(forecast.certainty().label(), forecast.id()));
    line("   " + ForecastWords.ran(forecast, foreseen));
    line("");
    CourseText.of(forecast).lines().forEach(each -> line("   " + each));
    line("");
    forecast
        .stale()
        .forEach(stale -> line("   shows what changes: " + Printable.escaped(stale.statement())));
    ForecastWords.caveats(forecast).forEach(caveat -> line("   " + caveat));
    String others = ForecastWords.others(forecast);
    if (!others.isEmpty()) {
      line("   " + others);
    }
    for (Remedy remedy : ForecastWords.remedies(forecast)) {
      line("   - %s Costs: %s.".formatted(Printable.escaped(remedy.what()), remedy.cost()));
    }
  }

  private void line(String words) {
    text.append(words.stripTrailing()).append(System.lineSeparator());
  }
}
