import java.io.IOException;
import java.nio.file.Path;
import java.util.Map;
import org.neo4j.configuration.GraphDatabaseSettings;
import org.neo4j.configuration.connectors.BoltConnector;
import org.neo4j.configuration.helpers.SocketAddress;
import org.neo4j.dbms.api.DatabaseManagementService;
import org.neo4j.dbms.api.DatabaseManagementServiceBuilder;

/**
 * A Neo4j server: Bolt on a loopback port, data in a folder, with a page cache of so many megabytes. The password of the user neo4j comes as the
 * first line of standard input, so that no list of processes shows it; an empty line: no authentication. Prints "ready"
 * once it serves. Ends when its standard input does, so that it never outlives whoever started it.
 */
public class Launcher {
    public static void main(String[] args) {
        try {
            serve(args);
        } catch (Throwable failure) {
            failure.printStackTrace();
            // The server's own threads would keep the process.
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
            // Nothing is said after the password.
        }
        // What was committed is in the log on the disk, and an orderly end takes ten seconds.
        Runtime.getRuntime().halt(0);
    }

    /** Logs are not made large beforehand: data is little at first, and the machine is shared. */
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
