package io.isotail.monitor.forecast;

import io.isotail.incremental.forecast.Forecast;
import io.isotail.incremental.forecast.Template;
import java.util.List;

/** Which transactions forecasts are of, by name. */
final class Found {
  private Found() {}

  static List<List<String>> in(Foreseen foreseen) {
    return foreseen.forecasts().stream().map(Found::who).toList();
  }

  static List<String> who(Forecast forecast) {
    return forecast.templates().stream().map(Template::name).sorted().toList();
  }
}
