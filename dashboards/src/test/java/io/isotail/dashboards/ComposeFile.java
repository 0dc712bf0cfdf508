package io.isotail.dashboards;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.dataformat.yaml.YAMLMapper;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** What {@code deploy/compose.yaml} and the Dockerfile say. */
final class ComposeFile {
  static final Path DEPLOY = Repository.ROOT.resolve("deploy");

  private final JsonNode services;
  private final JsonNode volumes;

  private ComposeFile(JsonNode file) {
    this.services = file.path("services");
    this.volumes = file.path("volumes");
  }

  static ComposeFile read() throws IOException {
    return new ComposeFile(new YAMLMapper().readTree(DEPLOY.resolve("compose.yaml").toFile()));
  }

  /** Names of the services. */
  List<String> names() {
    return listOf(services.fieldNames());
  }

  JsonNode services() {
    return services;
  }

  JsonNode service(String name) {
    JsonNode service = services.path(name);
    if (!service.isObject()) {
      throw new IllegalArgumentException("compose.yaml has no service " + name);
    }
    return service;
  }

  /** Names of the volumes that outlive the containers. */
  List<String> volumes() {
    return listOf(volumes.fieldNames());
  }

  List<String> command(String name) {
    return texts(service(name).path("command"));
  }

  Map<String, String> environment(String name) {
    Map<String, String> environment = new LinkedHashMap<>();
    service(name)
        .path("environment")
        .properties()
        .forEach(each -> environment.put(each.getKey(), each.getValue().asText()));
    return environment;
  }

  /** What is mounted in a service: the place in the container, and the file or volume. */
  Map<String, String> mounts(String name) {
    Map<String, String> mounts = new LinkedHashMap<>();
    for (String volume : texts(service(name).path("volumes"))) {
      String[] parts = volume.split(":");
      mounts.put(parts[1], parts[0]);
    }
    return mounts;
  }

  /** Which port of which service is published on which port of the machine. */
  Map<Integer, Published> published() {
    Map<Integer, Published> published = new TreeMap<>();
    for (String name : names()) {
      for (String port : texts(service(name).path("ports"))) {
        String[] parts = port.split(":");
        published.put(Integer.valueOf(parts[1]), new Published(name, Integer.parseInt(parts[2])));
      }
    }
    return published;
  }

  record Published(String service, int port) {}

  /** The words that the image of isotail starts with. */
  static List<String> entryPoint() throws IOException {
    for (String line : Files.readAllLines(DEPLOY.resolve("Dockerfile"))) {
      if (line.startsWith("ENTRYPOINT ")) {
        return texts(new ObjectMapper().readTree(line.substring("ENTRYPOINT ".length())));
      }
    }
    throw new IllegalStateException("the Dockerfile has no ENTRYPOINT");
  }

  /** The variables that the image of isotail sets. */
  static Map<String, String> imageEnvironment() throws IOException {
    Map<String, String> environment = new LinkedHashMap<>();
    for (String line : Files.readAllLines(DEPLOY.resolve("Dockerfile"))) {
      if (line.startsWith("ENV ")) {
        String[] parts = line.substring("ENV ".length()).split("=", 2);
        environment.put(parts[0], parts[1].replace("\"", ""));
      }
    }
    return environment;
  }

  private static List<String> texts(JsonNode array) {
    List<String> texts = new ArrayList<>();
    array.forEach(each -> texts.add(each.asText()));
    return texts;
  }

  private static List<String> listOf(Iterator<String> names) {
    List<String> list = new ArrayList<>();
    names.forEachRemaining(list::add);
    return list;
  }
}
