import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import java.io.IOException;
import java.io.Writer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Properties;
import org.gaul.s3proxy.Main;
import org.slf4j.LoggerFactory;

/**
 * Runs an S3 server for tests on a loopback port. Objects are files in a folder, and requests need a valid signature.
 * The secret of the access key "tests" is the first line of standard input, so that no list of processes shows it.
 * The server prints "ready" once it accepts connections. It ends when its standard input closes, so that it never
 * outlives the process that started it.
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

    private static void serve(String[] args) throws Exception {
        ((Logger) LoggerFactory.getLogger(Logger.ROOT_LOGGER_NAME)).setLevel(Level.WARN);
        Path folder = Path.of(args[0]);
        Path objects = Files.createDirectories(folder.resolve("objects"));
        Files.createDirectories(objects.resolve(args[2]));
        Properties properties = new Properties();
        properties.setProperty("s3proxy.endpoint", "http://127.0.0.1:" + args[1]);
        properties.setProperty("s3proxy.authorization", "aws-v4");
        properties.setProperty("s3proxy.identity", "tests");
        properties.setProperty("s3proxy.credential", readLine());
        properties.setProperty("jclouds.provider", "filesystem-nio2");
        properties.setProperty("jclouds.identity", "unused");
        properties.setProperty("jclouds.credential", "unused");
        properties.setProperty("jclouds.filesystem.basedir", objects.toString());
        Path file = folder.resolve("server.properties");
        try (Writer writer = Files.newBufferedWriter(file)) {
            properties.store(writer, null);
        }
        Main.main(new String[] {"--properties", file.toString()});
        System.out.println("ready");
        while (System.in.read() != -1) {
            // Nothing is said after the secret.
        }
        Runtime.getRuntime().halt(0);
    }

    private static String readLine() throws IOException {
        StringBuilder line = new StringBuilder();
        for (int next = System.in.read(); next != '\n' && next != -1; next = System.in.read()) {
            line.append((char) next);
        }
        return line.toString();
    }
}
