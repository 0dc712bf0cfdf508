package io.isotail.ingest.proxy;

import io.isotail.ingest.proxy.ProxyConfig.Address;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;

/**
 * A proxy in a process of its own: {@code ProxyMain UPSTREAM_PORT SIGHT}. Prints its port, then for
 * each line that it reads the bytes of heap in use after a collection, and those that are resident.
 * Ends when there are no more lines.
 */
final class ProxyMain {
  private ProxyMain() {}

  public static void main(String[] args) throws IOException {
    Sight sight = Sight.valueOf(args[1]);
    try (ProxyServer proxy =
            ProxyServer.start(
                ProxyConfig.of(
                    new Address("127.0.0.1", 0),
                    new Address("127.0.0.1", Integer.parseInt(args[0]))),
                (parameters, host) -> sight.open());
        BufferedReader asked =
            new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8))) {
      System.out.println(proxy.port());
      while (asked.readLine() != null) {
        System.gc();
        long heap = ManagementFactory.getMemoryMXBean().getHeapMemoryUsage().getUsed();
        System.out.println(heap + " " + resident());
      }
    }
  }

  /** Bytes of memory that the system has given to this process. */
  private static long resident() throws IOException {
    try (Stream<String> lines = Files.lines(Path.of("/proc/self/status"))) {
      return lines
          .filter(line -> line.startsWith("VmRSS:"))
          .map(line -> Long.parseLong(line.replaceAll("\\D", "")) * 1_024)
          .findFirst()
          .orElseThrow();
    }
  }
}
