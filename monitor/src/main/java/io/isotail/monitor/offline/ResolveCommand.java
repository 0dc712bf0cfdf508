package io.isotail.monitor.offline;

import io.isotail.ingest.jdbc.IdentitySettings;
import io.isotail.ingest.sql.Identities;
import io.isotail.monitor.reach.DatabaseFailure;
import io.isotail.monitor.resolve.AnomalyKeys;
import io.isotail.monitor.resolve.CandidateLines;
import io.isotail.monitor.resolve.HashedKey;
import io.isotail.monitor.resolve.KeyMatcher;
import io.isotail.monitor.resolve.ReadOnlyDatabase;
import io.isotail.monitor.resolve.ResolveException;
import io.isotail.monitor.resolve.ResolvedKey;
import io.isotail.monitor.resolve.RowScan;
import io.isotail.monitor.resolve.SearchListener;
import io.isotail.monitor.resolve.SearchTable;
import io.isotail.monitor.resolve.TableChoice;
import io.isotail.monitor.resolve.WantedKeys;
import io.isotail.monitor.terminal.Printable;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code isotail resolve}: from hashed keys back to rows. */
@Command(
    name = "resolve",
    mixinStandardHelpOptions = true,
    description = {
      "Tells which rows hashed keys stand for. Run it where the secret of the hashes may be.",
      "",
      "It reads the keys of the tables from PostgreSQL in a read-only transaction, hashes them as"
          + " the driver does, and prints those that match. The settings isotail.key, isotail.tables"
          + " and isotail.history are found where the driver finds them: in --settings, or as"
          + " ISOTAIL_KEY, ISOTAIL_TABLES and ISOTAIL_HISTORY."
    },
    footerHeading = "%n",
    footer = {
      "Example:",
      "  curl -s http://localhost:9617/api/anomalies/f8b5859806f5a42b >anomaly.json",
      "  isotail resolve --settings isotail.properties \\",
      "    --url jdbc:postgresql://db/shop --anomaly anomaly.json",
      "",
      "Versions are told if they are the row's present one, or whole numbers within 100,000 of it."
          + " Without isotail.tables, tables are taken by their primary keys, and no version is"
          + " told. Exit status: 0 all keys found, 1 some not found, 2 bad usage or bad input."
    })
public final class ResolveCommand implements Callable<Integer> {
  @Spec private @Nullable CommandSpec spec;

  @Mixin private DatabaseOptions source = new DatabaseOptions();

  @Mixin private HashOptions hashes = new HashOptions();

  @Option(
      names = "--anomaly",
      paramLabel = "FILE",
      description =
          "Resolve the keys of an anomaly, as /api/anomalies/ID gives it; - reads it from"
              + " standard input.")
  private @Nullable String anomaly;

  @Option(
      names = "--table",
      paramLabel = "NAME",
      description =
          "Look in this table only; may be repeated (default: the tables that the keys name, else"
              + " those of isotail.tables, else all with a primary key).")
  private List<String> asked = List.of();

  @Option(
      names = "--values",
      paramLabel = "FILE",
      description =
          "Try the keys in this file instead of the rows of the database, one a line, the columns"
              + " of a key separated by tabs; - reads them from standard input. Without --url,"
              + " isotail.tables has to tell types: 'orders(id bigint; version bigint)'.")
  private @Nullable String values;

  @Option(
      names = "--limit",
      paramLabel = "N",
      description = "Rows read of one table at most (default: all).")
  private long limit = Long.MAX_VALUE;

  @Option(names = "--json", description = "Print one JSON object a key, on one line each.")
  private boolean json;

  @Parameters(
      paramLabel = "KEY",
      description = {
        "A hashed key as it is shown: orders#0d6c8009d9a94f5a, 0d6c8009d9a94f5a, or the number"
            + " 967288799772626778; =VERSION may follow."
      })
  private List<String> arguments = List.of();

  @Override
  public Integer call() {
    if (anomaly == null && arguments.isEmpty()) {
      throw badUsage("found nothing to resolve; expected hashed keys, or --anomaly");
    }
    if (values == null && source.url() == null) {
      throw badUsage("found neither --url nor --values; expected where to look for rows");
    }
    if ("-".equals(anomaly) && "-".equals(values)) {
      throw badUsage("--anomaly and --values both read standard input; expected a file for one");
    }
    if (limit < 1) {
      throw badUsage("--limit %d; expected at least 1".formatted(limit));
    }
    try {
      return resolve();
    } catch (ResolveException e) {
      return bad(String.valueOf(e.getMessage()));
    } catch (IllegalArgumentException | UncheckedIOException e) {
      return bad(Printable.escaped(String.valueOf(e.getMessage())));
    } catch (IOException e) {
      return bad(Printable.escaped(e.toString()));
    } catch (SQLException e) {
      String url = String.valueOf(source.url()).replace("jdbc:isotail:", "jdbc:");
      return bad(Printable.escaped(DatabaseFailure.words(e, url)));
    }
  }

  private int resolve() throws ResolveException, IOException, SQLException {
    List<HashedKey> keys = new ArrayList<>();
    for (String argument : arguments) {
      keys.add(HashedKey.parse(argument));
    }
    requireAskedTables(keys);
    String historyOfAnomaly = null;
    if (anomaly != null) {
      AnomalyKeys found = AnomalyKeys.read(InputFiles.text("--anomaly", anomaly));
      keys.addAll(ofAskedTables(found));
      historyOfAnomaly = found.history();
    }
    ResolveOutput out = new ResolveOutput(spec().commandLine().getOut(), json);
    List<HashedKey> hashed = new ArrayList<>();
    for (HashedKey key : keys) {
      String name = key.clearName();
      if (name == null) {
        hashed.add(key);
      } else {
        out.inClear(key, name);
      }
    }
    if (hashed.isEmpty()) {
      note("the proxies send these keys in clear; there is nothing to resolve");
      return ExitCode.PASSED;
    }
    IdentitySettings settings = hashes.read(source.url());
    Identities identities = identities(settings, historyOfAnomaly);
    WantedKeys wanted = new WantedKeys(hashed);
    Printer printer = new Printer(out);
    Searched searched;
    String realUrl = settings.realUrl();
    if (realUrl == null) {
      searched = search(settings, identities, wanted, hashed, printer, null);
    } else {
      try (ReadOnlyDatabase database = source.open(realUrl)) {
        searched = search(settings, identities, wanted, hashed, printer, database.connection());
      }
    }
    wanted.left().forEach(out::notFound);
    if (wanted.left().isEmpty()) {
      return ExitCode.PASSED;
    }
    explain(searched, hashed.size(), wanted.left().size(), settings.secret() != null);
    return ExitCode.NOT_FOUND;
  }

  /**
   * What was looked through.
   *
   * @param guessed whether key columns were taken from primary keys
   */
  private record Searched(long keys, List<SearchTable> tables, boolean guessed) {}

  private Searched search(
      IdentitySettings settings,
      Identities identities,
      WantedKeys wanted,
      List<HashedKey> keys,
      Printer printer,
      @Nullable Connection database)
      throws ResolveException, IOException, SQLException {
    TableChoice choice = new TableChoice(settings.tables(), database);
    List<SearchTable> tables = choice.tables(keys, asked);
    KeyMatcher matcher = new KeyMatcher(tables, identities, wanted, printer);
    if (database != null) {
      matcher.readTypes(database);
    }
    long read = 0;
    try {
      if (values != null) {
        try (BufferedReader lines = InputFiles.lines("--values", values)) {
          read = new CandidateLines(matcher, printer).run(lines);
        }
      } else if (database != null) {
        read = new RowScan(database, matcher, limit, printer).run();
      }
    } finally {
      printer.clear();
    }
    return new Searched(read, tables, choice.guessed());
  }

  private void requireAskedTables(List<HashedKey> keys) {
    for (HashedKey key : keys) {
      if (key.table() != null && !asked.isEmpty() && !asked.contains(key.table())) {
        throw badUsage(
            "%s is not in a table that --table names".formatted(Printable.value(key.shown())));
      }
    }
  }

  private List<HashedKey> ofAskedTables(AnomalyKeys found) throws ResolveException {
    List<HashedKey> keys =
        found.keys().stream()
            .filter(k -> k.table() == null || asked.isEmpty() || asked.contains(k.table()))
            .toList();
    if (keys.isEmpty()) {
      throw new ResolveException(
          "found no key of table %s in the anomaly; expected one of its tables: %s"
              .formatted(
                  Printable.value(String.join(", ", asked)),
                  found.keys().stream()
                      .map(key -> Printable.escaped(String.valueOf(key.table())))
                      .distinct()
                      .collect(Collectors.joining(", "))));
    }
    return keys;
  }

  private Identities identities(IdentitySettings settings, @Nullable String historyOfAnomaly)
      throws ResolveException {
    String of = settings.history() == null ? historyOfAnomaly : settings.history();
    if (historyOfAnomaly != null && !historyOfAnomaly.equals(of)) {
      note(
          "the anomaly is of history %s, the settings are of %s"
              .formatted(Printable.value(historyOfAnomaly), Printable.value(String.valueOf(of))));
    }
    String secret = settings.secret();
    if (secret == null) {
      if (of == null) {
        throw new ResolveException(
            "found no secret; expected isotail.key in --settings, --key-file or ISOTAIL_KEY, or"
                + " --history if the applications have none");
      }
      note(
          "no isotail.key is set: these must be hashes of applications that have none either, made"
              + " from the name of history "
              + Printable.value(of));
    }
    if (settings.clearNames()) {
      note("isotail.clear-names is set: with these settings keys are sent in clear as well");
    }
    return Identities.of(secret, of == null ? "" : of);
  }

  private void explain(Searched searched, int all, int missing, boolean secret) {
    String tables =
        searched.tables().stream().map(SearchTable::shown).collect(Collectors.joining(", "));
    note(
        "%,d of %,d keys not found among %,d %s of %s"
            .formatted(missing, all, searched.keys(), values == null ? "rows" : "values", tables));
    if (values == null) {
      note("a deleted row cannot be found any more; --values tries keys that are known elsewhere");
    }
    if (missing == all && searched.keys() > 0) {
      note(
          secret
              ? "none was found at all: is this the isotail.key of the applications?"
              : "none was found at all: do the applications have an isotail.key?");
    }
    if (searched.guessed()) {
      note(
          "key columns were taken from primary keys; isotail.tables would tell what the"
              + " applications hash");
    }
  }

  /** Prints what is found; between that, how far the search is. */
  private final class Printer implements SearchListener {
    private final ResolveOutput out;
    private @Nullable SearchTable table;
    private @Nullable Progress progress;

    Printer(ResolveOutput out) {
      this.out = out;
    }

    @Override
    public void found(ResolvedKey key) {
      clear();
      out.found(key);
    }

    @Override
    public void note(String text) {
      clear();
      ResolveCommand.this.note(text);
    }

    @Override
    public void rowRead(SearchTable from) {
      Progress shown = progress;
      if (shown == null || !from.equals(table)) {
        clear();
        shown = Progress.onTerminal(from.shown(), "rows");
        progress = shown;
        table = from;
      }
      shown.step();
    }

    void clear() {
      if (progress != null) {
        progress.done();
      }
    }
  }

  private void note(String text) {
    spec().commandLine().getErr().println("isotail resolve: " + text);
  }

  private int bad(String message) {
    note(message);
    return ExitCode.BAD;
  }

  private ParameterException badUsage(String message) {
    return new ParameterException(spec().commandLine(), message);
  }

  private CommandSpec spec() {
    return Objects.requireNonNull(spec);
  }
}
