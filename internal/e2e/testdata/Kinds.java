import java.util.*;
import java.util.concurrent.*;
import org.apache.curator.framework.*;
import org.apache.curator.framework.recipes.atomic.*;
import org.apache.curator.framework.recipes.barriers.*;
import org.apache.curator.framework.recipes.locks.*;
import org.apache.curator.framework.recipes.nodes.*;
import org.apache.curator.framework.recipes.queue.*;
import org.apache.curator.framework.recipes.shared.*;
import org.apache.curator.framework.state.ConnectionState;
import org.apache.curator.retry.RetryOneTime;
import org.apache.zookeeper.ZooKeeper;

/**
 * Curator's and ZooKeeper's clients stand in recipes of every kind that they have besides locks and elections.
 * Prints READY once each recipe itself reports the wanted state.
 */
public class Kinds {
    static CuratorFramework[] c = new CuratorFramework[3];

    interface Act { void run() throws Exception; }

    static void later(Act act) {
        Thread t = new Thread(() -> { try { act.run(); } catch (Throwable e) { System.out.println("FAILED " + e); } });
        t.setDaemon(true);
        t.start();
    }

    static void until(String what, Callable<Boolean> ok) throws Exception {
        long end = System.currentTimeMillis() + 20000;
        while (!ok.call()) {
            if (System.currentTimeMillis() > end) { System.out.println("FAILED " + what); System.exit(1); }
            Thread.sleep(10);
        }
    }

    static int kids(String path) throws Exception {
        return c[0].checkExists().forPath(path) == null ? 0 : c[0].getChildren().forPath(path).size();
    }

    static final QueueSerializer<String> text = new QueueSerializer<String>() {
        public byte[] serialize(String s) { return s.getBytes(); }
        public String deserialize(byte[] b) { return new String(b); }
    };

    public static void main(String[] args) throws Exception {
        for (int i = 0; i < c.length; i++) {
            c[i] = CuratorFrameworkFactory.builder().connectString(args[0]).sessionTimeoutMs(6000).connectionTimeoutMs(5000).retryPolicy(new RetryOneTime(100)).build();
            c[i].start();
            c[i].blockUntilConnected();
        }
        InterProcessSemaphoreV2[] s = new InterProcessSemaphoreV2[3];
        for (int i = 0; i < 3; i++) {
            s[i] = new InterProcessSemaphoreV2(c[i], "/cur/sem", 2);
            s[i].setNodeData(("sem-" + "ABC".charAt(i)).getBytes());
        }
        s[0].acquire();
        s[1].acquire();
        later(() -> s[2].acquire());
        until("a third lease node", () -> s[0].getParticipantNodes().size() == 3);

        DistributedDoubleBarrier[] d = { new DistributedDoubleBarrier(c[0], "/cur/dbarrier", 2), new DistributedDoubleBarrier(c[1], "/cur/dbarrier", 2) };
        later(() -> d[0].enter());
        until("one at the barrier", () -> kids("/cur/dbarrier") == 1);
        d[1].enter();
        new DistributedBarrier(c[0], "/cur/barrier").setBarrier();

        DistributedQueue<String> q = QueueBuilder.builder(c[0], null, text, "/cur/queue").buildQueue();
        q.start();
        q.put("one");
        q.put("two");
        DistributedPriorityQueue<String> p = QueueBuilder.builder(c[0], null, text, "/cur/pqueue").buildPriorityQueue(0);
        p.start();
        p.put("five", 5);
        p.put("minus five", -5);
        DistributedDelayQueue<String> l = QueueBuilder.builder(c[0], null, text, "/cur/dqueue").buildDelayQueue();
        l.start();
        l.put("later", System.currentTimeMillis() + 3600000);
        until("the items", () -> kids("/cur/queue") == 2 && kids("/cur/pqueue") == 2 && kids("/cur/dqueue") == 1);

        // A consumer that stays at its item, with a lock path.
        DistributedQueue<String> w = QueueBuilder.builder(c[1], new QueueConsumer<String>() {
            public void consumeMessage(String m) throws Exception { Thread.sleep(600000); }
            public void stateChanged(CuratorFramework f, ConnectionState n) { }
        }, text, "/cur/work").lockPath("/cur/work-locks").buildQueue();
        w.start();
        w.put("job");
        until("a mark", () -> kids("/cur/work-locks") == 1);

        GroupMember[] g = { new GroupMember(c[0], "/cur/crew", "member-A", "pay-A".getBytes()), new GroupMember(c[1], "/cur/crew", "member-B", "pay-B".getBytes()) };
        g[0].start();
        until("the first member", () -> kids("/cur/crew") == 1);
        g[1].start();
        until("two members", () -> g[0].getCurrentMembers().size() == 2 && kids("/cur/crew") == 2);

        SharedCount count = new SharedCount(c[0], "/cur/count", 7);
        count.start();
        count.setCount(42);
        until("the count", () -> count.getCount() == 42);
        new DistributedAtomicLong(c[0], "/cur/counters/long", new RetryOneTime(100)).add(-3L);

        ZooKeeper zk = c[2].getZookeeperClient().getZooKeeper();
        c[2].create().creatingParentsIfNeeded().forPath("/zkr/queue", new byte[0]);
        org.apache.zookeeper.recipes.queue.DistributedQueue zq = new org.apache.zookeeper.recipes.queue.DistributedQueue(zk, "/zkr/queue", null);
        zq.offer("a".getBytes());
        zq.offer("b".getBytes());
        if (!new String(zq.element()).equals("a")) { System.out.println("FAILED the wrong head"); }
        System.out.println("READY");
        while (System.in.read() >= 0) { }
    }
}
