package io.isotail.junit.spring;

import com.zaxxer.hikari.HikariDataSource;
import com.zaxxer.hikari.util.DriverDataSource;
import io.isotail.junit.CheckedDataSource;
import javax.sql.DataSource;
import org.springframework.beans.factory.config.BeanPostProcessor;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.context.annotation.Bean;
import org.springframework.util.ClassUtils;

/**
 * Makes the data sources of a Spring Boot context checked ones.
 *
 * <p>A pool of HikariCP that has not been used yet stays the bean that it is: what it connects by
 * is wrapped. Any other data source is replaced by one that is wrapped, but for those that only
 * pass on connections of other data sources, as one that routes by tenant, and for databases in
 * memory. {@code isotail.junit.enabled=false} leaves all as they are.
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
    private static final boolean HIKARI =
        ClassUtils.isPresent("com.zaxxer.hikari.HikariDataSource", Wrapping.class.getClassLoader());

    @Override
    public Object postProcessAfterInitialization(Object bean, String name) {
      if (!(bean instanceof DataSource source) || isLeft(bean.getClass())) {
        return bean;
      }
      return HIKARI && Pools.isChecked(source) ? bean : CheckedDataSource.of(source);
    }

    /** By name: Spring's JDBC module need not be there. */
    private static boolean isLeft(Class<?> type) {
      for (Class<?> c = type; c != null; c = c.getSuperclass()) {
        String name = c.getName();
        if (name.equals("org.springframework.jdbc.datasource.lookup.AbstractRoutingDataSource")
            || name.equals("org.springframework.jdbc.datasource.DelegatingDataSource")) {
          return true;
        }
        for (Class<?> implemented : c.getInterfaces()) {
          if (implemented
              .getName()
              .equals("org.springframework.jdbc.datasource.embedded.EmbeddedDatabase")) {
            return true;
          }
        }
      }
      return false;
    }
  }

  /** Loaded only where there is HikariCP. */
  private static final class Pools {
    /** Lets a pool connect by a checked data source; whether it does now. */
    static boolean isChecked(DataSource source) {
      if (!(source instanceof HikariDataSource pool)
          || pool.isRunning()
          || pool.getDataSourceClassName() != null) {
        return false;
      }
      DataSource behind = pool.getDataSource();
      if (behind == null && pool.getJdbcUrl() == null) {
        return false;
      }
      pool.setDataSource(
          CheckedDataSource.of(
              behind == null
                  ? new DriverDataSource(
                      pool.getJdbcUrl(),
                      pool.getDriverClassName(),
                      pool.getDataSourceProperties(),
                      pool.getUsername(),
                      pool.getPassword())
                  : behind));
      return true;
    }
  }
}
