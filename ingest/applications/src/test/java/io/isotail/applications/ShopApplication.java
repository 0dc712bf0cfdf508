package io.isotail.applications;

import java.util.List;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.context.ConfigurableApplicationContext;

/** Starts the shop on each data source that is given: a name, a URL and a driver class. */
@SpringBootApplication
public class ShopApplication {

  /** Prints a line for each thing that the shop sees, after the name. */
  public static void main(String... arguments) throws Exception {
    for (int i = 0; i + 2 < arguments.length; i += 3) {
      try (ConfigurableApplicationContext context =
          SpringApplication.run(
              ShopApplication.class,
              "--spring.datasource.url=" + arguments[i + 1],
              "--spring.datasource.driver-class-name=" + arguments[i + 2])) {
        List<String> seen = context.getBean(ShopWork.class).run();
        for (String line : seen) {
          System.out.println(arguments[i] + ": " + line);
        }
      }
    }
  }
}
