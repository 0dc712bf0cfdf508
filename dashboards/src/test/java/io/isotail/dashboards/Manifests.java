package io.isotail.dashboards;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.MappingIterator;
import com.fasterxml.jackson.dataformat.yaml.YAMLMapper;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;

/** The Kubernetes manifests, as trees. */
final class Manifests {
  static final Path FOLDER = Repository.ROOT.resolve("deploy/kubernetes");

  private static final YAMLMapper YAML = new YAMLMapper();

  private Manifests() {}

  /** Every YAML file, settings of the monitor included. */
  static List<Path> files() throws IOException {
    try (Stream<Path> files = Files.walk(FOLDER)) {
      return files.filter(Files::isRegularFile).sorted().toList();
    }
  }

  /** The documents of a file. */
  static List<JsonNode> documents(Path file) throws IOException {
    return documents(Files.readString(file));
  }

  private static List<JsonNode> documents(String text) throws IOException {
    try (MappingIterator<JsonNode> documents = YAML.readerFor(JsonNode.class).readValues(text)) {
      return documents.readAll();
    }
  }

  /** The objects of what a program printed, by kind and name. */
  static Map<String, JsonNode> objects(String text) throws IOException {
    Map<String, JsonNode> objects = new TreeMap<>();
    for (JsonNode each : documents(text)) {
      String name = each.path("kind").asText() + " " + each.at("/metadata/name").asText();
      if (objects.put(name, each) != null) {
        throw new IllegalStateException("two of " + name);
      }
    }
    return objects;
  }

  /** All documents of this kind. */
  static List<JsonNode> ofKind(String kind) throws IOException {
    List<JsonNode> found = new ArrayList<>();
    for (Path file : files()) {
      for (JsonNode document : documents(file)) {
        if (document.path("kind").asText().equals(kind)) {
          found.add(document);
        }
      }
    }
    return found;
  }

  /** The only document of this kind. */
  static JsonNode only(String kind) throws IOException {
    List<JsonNode> found = ofKind(kind);
    if (found.size() != 1) {
      throw new IllegalStateException(found.size() + " documents of the kind " + kind);
    }
    return found.get(0);
  }

  /** The pod that the stateful set makes. */
  static JsonNode pod() throws IOException {
    return only("StatefulSet").at("/spec/template");
  }

  /** The monitor's container in that pod. */
  static JsonNode container() throws IOException {
    return pod().at("/spec/containers/0");
  }
}
