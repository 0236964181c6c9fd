import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.codelibs.opensearch.runner.node.OpenSearchRunnerNode;
import org.opensearch.common.settings.Settings;
import org.opensearch.env.Environment;
import org.opensearch.plugins.Plugin;

/**
 * One OpenSearch node with the modules of the plain distribution that the index needs: `folder httpPort transportPort
 * managerPort`. It manages the cluster when the last is its own transport port, else it joins the one that does.
 * Says "ready" when it answers, and ends with its standard input.
 */
public final class OpenSearchNode {
  private static final List<String> MODULES = List.of(
      "org.opensearch.analysis.common.CommonAnalysisModulePlugin",
      "org.opensearch.index.mapper.MapperExtrasModulePlugin",
      "org.opensearch.painless.PainlessModulePlugin",
      "org.opensearch.index.reindex.ReindexModulePlugin",
      "org.opensearch.transport.Netty4ModulePlugin");

  public static void main(String[] arguments) throws Exception {
    Path folder = Path.of(arguments[0]);
    Files.createDirectories(folder.resolve("config"));
    boolean isManager = arguments[3].equals(arguments[2]);
    Settings settings = Settings.builder()
        .put("cluster.name", "fossick-tests")
        .put("node.name", isManager ? "manager" : "other")
        .putList("node.roles", isManager ? List.of("cluster_manager", "data") : List.of("data"))
        .put("path.home", folder.toString())
        .put("network.host", "127.0.0.1")
        .put("http.port", arguments[1])
        .put("transport.port", arguments[2])
        .putList("cluster.initial_cluster_manager_nodes", isManager ? List.of("manager") : List.of())
        .put("discovery.seed_hosts", "127.0.0.1:" + arguments[3])
        .put("cluster.routing.allocation.disk.threshold_enabled", false)
        .build();
    List<Class<? extends Plugin>> modules = new ArrayList<>();
    for (String name : MODULES) modules.add(Class.forName(name).asSubclass(Plugin.class));
    var node = new OpenSearchRunnerNode(new Environment(settings, folder.resolve("config")), modules);
    node.start();
    System.out.println("ready");
    waitForEnd();
    node.close();
    System.exit(0);
  }

  private static void waitForEnd() throws IOException {
    while (System.in.read() >= 0) {}
  }
}
