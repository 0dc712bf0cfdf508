package io.isotail.explore.junit;

import io.isotail.incremental.explore.Program;
import io.isotail.incremental.explore.code.CodeProgram;
import io.isotail.incremental.explore.verdict.AssertionVerdict;
import java.lang.reflect.Executable;
import java.lang.reflect.Method;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.extension.ExtensionConfigurationException;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.InvocationInterceptor;
import org.junit.jupiter.api.extension.ParameterContext;
import org.junit.jupiter.api.extension.ParameterResolutionException;
import org.junit.jupiter.api.extension.ParameterResolver;
import org.junit.jupiter.api.extension.ReflectiveInvocationContext;
import org.junit.platform.commons.support.AnnotationSupport;

/**
 * Gives a test its program, the same one for every parameter of the test method and of what runs
 * before it, and explores it when the method has returned. {@link Explore} registers it for its
 * method. A class that declares a program in {@code @BeforeEach}, and has tests that are not
 * {@code @Explore}, registers it by {@code @ExtendWith}: the program of such a test is not
 * explored.
 *
 * <p>Runs on JUnit 5.14 and 6. Its tests run on the former by {@code mvn -pl incremental/junit -am
 * -Djunit.version=5.14.4 -Dtest='ExploreExtensionTest' -Dsurefire.failIfNoSpecifiedTests=false
 * package}.
 */
public final class ExploreExtension implements ParameterResolver, InvocationInterceptor {
  private static final ExtensionContext.Namespace OWN =
      ExtensionContext.Namespace.create(ExploreExtension.class);

  @Override
  public boolean supportsParameter(ParameterContext parameter, ExtensionContext context) {
    return parameter.getParameter().getType() == CodeProgram.class
        && context.getTestMethod().isPresent();
  }

  @Override
  public CodeProgram resolveParameter(ParameterContext parameter, ExtensionContext context) {
    Executable declaring = parameter.getDeclaringExecutable();
    if (AnnotationSupport.isAnnotated(declaring, AfterEach.class)) {
      throw new ParameterResolutionException(
          "%s.%s: found a CodeProgram after the test; expected it in the test or before it"
              .formatted(declaring.getDeclaringClass().getSimpleName(), declaring.getName()));
    }
    if (declaring.equals(context.getRequiredTestMethod())
        && !AnnotationSupport.isAnnotated(declaring, Explore.class)) {
      throw new ParameterResolutionException(
          "%s.%s: found a CodeProgram in a test that is not explored; expected @Explore"
              .formatted(declaring.getDeclaringClass().getSimpleName(), declaring.getName()));
    }
    return program(context);
  }

  /** The program of a test. */
  @SuppressWarnings("deprecation") // JUnit 5 has no computeIfAbsent, which is to replace it
  private static CodeProgram program(ExtensionContext context) {
    return Objects.requireNonNull(
        context
            .getStore(OWN)
            .getOrComputeIfAbsent(
                CodeProgram.class,
                key -> CodeProgram.named(context.getDisplayName()),
                CodeProgram.class));
  }

  @Override
  public void interceptTestMethod(
      Invocation<@Nullable Void> invocation,
      ReflectiveInvocationContext<Method> invoked,
      ExtensionContext context)
      throws Throwable {
    Method method = invoked.getExecutable();
    Explore explore = AnnotationSupport.findAnnotation(method, Explore.class).orElse(null);
    if (explore == null) {
      invocation.proceed();
      return;
    }
    if (explore.timeLimitMs() < 1) {
      throw wrong(method, "timeLimitMs = " + explore.timeLimitMs(), "at least 1");
    }
    invocation.proceed();
    CodeProgram declared = context.getStore(OWN).get(CodeProgram.class, CodeProgram.class);
    if (declared == null) {
      throw wrong(method, "no parameter of type CodeProgram", "one, to declare transactions with");
    }
    Program program = declared.build();
    if (program.sessions().isEmpty()) {
      throw wrong(method, "a program without a session", "at least one");
    }
    long limitNs = TimeUnit.MILLISECONDS.toNanos(explore.timeLimitMs());
    long startNs = System.nanoTime();
    AssertionVerdict verdict =
        AssertionVerdict.of(program, explore.level(), () -> System.nanoTime() - startNs < limitNs);
    context.publishReportEntry("histories", String.valueOf(verdict.histories()));
    Verdicts.requireHold(program, verdict, explore.timeLimitMs());
  }

  private static ExtensionConfigurationException wrong(
      Method method, String found, String expected) {
    return new ExtensionConfigurationException(
        "%s.%s: found %s; expected %s"
            .formatted(
                method.getDeclaringClass().getSimpleName(), method.getName(), found, expected));
  }
}
