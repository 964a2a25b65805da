import java.io.IOException;
import java.nio.file.Path;
import java.util.Map;
import org.neo4j.configuration.GraphDatabaseSettings;
import org.neo4j.configuration.connectors.BoltConnector;
import org.neo4j.configuration.helpers.SocketAddress;
import org.neo4j.dbms.api.DatabaseManagementService;
import org.neo4j.dbms.api.DatabaseManagementServiceBuilder;

/**
 * Runs a Neo4j server. The arguments are the folder of its data, its Bolt port on loopback and the size of its page
 * cache in megabytes. The password of the user neo4j is the first line of standard input, so that no list of
 * processes shows it; with an empty line there is no authentication. The server prints "ready" once it accepts
 * connections. It ends when its standard input closes, so that it never outlives the process that started it.
 */
public class Launcher {
    public static void main(String[] args) {
        try {
            serve(args);
        } catch (Throwable failure) {
            failure.printStackTrace();
            // The threads of the server would keep the process alive.
            Runtime.getRuntime().halt(1);
        }
    }

    private static void serve(String[] args) throws IOException {
        Path folder = Path.of(args[0]);
        int port = Integer.parseInt(args[1]);
        long pageCache = Long.parseLong(args[2]) * 1024 * 1024;
        String password = readLine();
        boolean authentication = !password.isEmpty();
        SocketAddress address = new SocketAddress("127.0.0.1", port);
        DatabaseManagementService service = start(folder, address, authentication, pageCache);
        if (authentication) {
            service.database("system").executeTransactionally(
                "CREATE OR REPLACE USER neo4j SET PASSWORD $password CHANGE NOT REQUIRED", Map.of("password", password));
        }
        System.out.println("ready");
        while (System.in.read() != -1) {
            // No input follows the password.
        }
        // The process halts at once, because committed data is in the log on disk and an orderly shutdown takes ten
        // seconds.
        Runtime.getRuntime().halt(0);
    }

    /**
     * Starts the server. It does not preallocate logs, because there is little data at first and other processes need
     * the disk.
     */
    private static DatabaseManagementService start(
            Path folder, SocketAddress address, boolean authentication, long pageCache) {
        return new DatabaseManagementServiceBuilder(folder)
            .setConfig(BoltConnector.enabled, true)
            .setConfig(BoltConnector.listen_address, address)
            .setConfig(BoltConnector.advertised_address, address)
            .setConfig(GraphDatabaseSettings.auth_enabled, authentication)
            .setConfig(GraphDatabaseSettings.pagecache_memory, pageCache)
            .setConfig(GraphDatabaseSettings.preallocate_logical_logs, false)
            .build();
    }

    private static String readLine() throws IOException {
        StringBuilder line = new StringBuilder();
        for (int next = System.in.read(); next != '\n' && next != -1; next = System.in.read()) {
            line.append((char) next);
        }
        return line.toString();
    }
}
