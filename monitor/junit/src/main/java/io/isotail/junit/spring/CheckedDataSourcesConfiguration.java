package io.isotail.junit.spring;

import io.isotail.junit.CheckedDataSource;
import javax.sql.DataSource;
import org.springframework.beans.factory.config.BeanPostProcessor;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.context.annotation.Bean;

/**
 * Wraps every data source of a Spring Boot context. What only chooses among other data sources, as
 * one that routes by tenant, stays as it is: those are wrapped. {@code isotail.junit.enabled=false}
 * leaves all as they are.
 */
@AutoConfiguration
@ConditionalOnProperty(name = "isotail.junit.enabled", matchIfMissing = true)
public class CheckedDataSourcesConfiguration {

  /** Wraps what comes by. */
  @Bean
  static BeanPostProcessor isotailCheckedDataSources() {
    return new Wrapping();
  }

  private static final class Wrapping implements BeanPostProcessor {
    @Override
    public Object postProcessAfterInitialization(Object bean, String name) {
      return bean instanceof DataSource source && !choosesAmongOthers(bean.getClass())
          ? CheckedDataSource.of(source)
          : bean;
    }

    /** By name: Spring's JDBC module need not be there. */
    private static boolean choosesAmongOthers(Class<?> type) {
      for (Class<?> c = type; c != null; c = c.getSuperclass()) {
        String name = c.getName();
        if (name.equals("org.springframework.jdbc.datasource.lookup.AbstractRoutingDataSource")
            || name.equals("org.springframework.jdbc.datasource.DelegatingDataSource")) {
          return true;
        }
      }
      return false;
    }
  }
}
